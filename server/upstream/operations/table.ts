import { anomalyOperations } from "./commands/anomalies";
import { codeOperations } from "./commands/codes";
import { invoiceOperations } from "./commands/invoices";
import { moderationOperations } from "./commands/moderation";
import { operatorOperations, requestOperations } from "./commands/operators";
import { orderOperations } from "./commands/orders";
import { packageOperations } from "./commands/packages";
import { proofOperations } from "./commands/proofs";
import { refundOperations } from "./commands/refund";
import { taskOperations } from "./commands/tasks";
import { todayOperations } from "./commands/today";
import { userOperations } from "./commands/users";
import type { Operation } from "./operation";

/** Everything that operators may do. The command line and the console offer these rows and nothing else. */
export const operationTable: readonly Operation[] = [
  ...todayOperations,
  ...userOperations,
  ...orderOperations,
  ...refundOperations,
  ...invoiceOperations,
  ...anomalyOperations,
  ...packageOperations,
  ...codeOperations,
  ...moderationOperations,
  ...proofOperations,
  ...taskOperations,
  ...requestOperations,
  ...operatorOperations,
];

export const findOperation = (name: string): Operation | undefined => operationTable.find((row) => row.name === name);

/** The operations of a command. */
export const operationsNamed = (name: string): Operation[] => operationTable.filter(({ cli }) => cli.words[0] === name);
