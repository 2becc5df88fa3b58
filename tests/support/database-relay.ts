import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface DatabaseRelay {
  url: string;
  /** Refuses the next connections as a server does that is starting. */
  refuse(connections: number): void;
  /** Ends a connection in place of the answer to its commit, the next one after this text of SQL: it has happened. */
  loseCommitAfter(sql: string): void;
  close(): Promise<void>;
}

const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up", ""].map((field) => `${field}\0`);
const startingUp = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields.join(""))]);
startingUp.writeInt32BE(startingUp.length - 1, 1);

const commit = Buffer.from("commit\0");

/** A relay in front of a PostgreSQL server that fails on request. */
export async function openDatabaseRelay(url: string): Promise<DatabaseRelay> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let refusals = 0;
  let sought: string | null = null;
  const server = createServer((client) => {
    if (refusals > 0) {
      refusals--;
      client.once("data", () => client.end(startingUp));
      return;
    }
    const database = connect(Number(target.port || 5432), target.hostname);
    let isFound = false;
    let isLost = false;
    client.on("data", (bytes) => {
      if (sought !== null && bytes.includes(sought)) {
        sought = null;
        isFound = true;
      }
      isLost ||= isFound && bytes.includes(commit);
      database.write(bytes);
    });
    database.on("data", (bytes) => (isLost ? client.destroy() : client.write(bytes)));
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reached = new URL(url);
  reached.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: reached.href,
    refuse: (connections) => {
      refusals = connections;
    },
    loseCommitAfter: (sql) => {
      sought = sql;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
