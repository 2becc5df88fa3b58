interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: Array<{ name: string; in: string; required: boolean; schema: Schema }>;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface ReferenceField {
  /** With the names of the fields around it: `data.taskId`. */
  name: string;
  type: string;
  isRequired: boolean;
}

export interface ReferenceCall {
  name: string;
  method: string;
  path: string;
  sent: ReferenceField[];
  answered: ReferenceField[];
}

/** The calls of an OpenAPI document that a key may make, as the page shows them. */
export function readReference(document: object): ReferenceCall[] {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.security)
      .map(([method, operation]) => ({
        ...{ name: operation.operationId, method: method.toUpperCase(), path },
        sent: [
          ...(operation.parameters ?? [])
            .filter((parameter) => parameter.in === "query")
            .map(({ name, required, schema }) => ({ name, type: typeOf(schema), isRequired: required })),
          ...fieldsOf(schemaIn(operation.requestBody?.content)),
        ],
        answered: fieldsOf(schemaIn(operation.responses[200]?.content)),
      })),
  );
}

const schemaIn = (content: Content | undefined) => Object.values(content ?? {})[0]?.schema;

const maxDepth = 3;

/** The fields of an object, those of objects in lists included. */
function fieldsOf(schema: Schema | undefined, prefix = "", depth = 0): ReferenceField[] {
  if (!schema || depth > maxDepth) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = prefix + key;
    const inner = value.items?.properties ? value.items : value;
    const mark = inner === value ? "." : "[].";
    const field = { name, type: typeOf(value), isRequired: schema.required?.includes(key) ?? false };
    return [field, ...fieldsOf(inner, name + mark, depth + 1)];
  });
}

function typeOf({ type, anyOf, items, enum: values, const: value, format }: Schema): string {
  if (values) return values.map((one) => JSON.stringify(one)).join(" | ");
  if (value !== undefined) return JSON.stringify(value);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" | ");
  if (type === "array") return `${items ? typeOf(items) : "any"}[]`;
  return [format === "binary" ? "file" : (type ?? "any")].flat().join(" | ");
}
