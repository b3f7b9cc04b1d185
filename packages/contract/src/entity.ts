import { z } from 'zod'
import { namedObject } from './endpoint.ts'
import type { Permission } from './permissions.ts'
import type { ProblemCode } from './problems.ts'

/** A field of a record, for every place that shows, exports or audits it. */
export interface Field {
  /** Its name in forms, in sentences about changes and in the audit. */
  label: string
  /** Heading of its column in lists and in the exported CSV; default: the label. */
  column?: string
  /** It is in the exported CSV, in the order of the fields; a text is a heading of its own. */
  csv?: boolean | string
  /** Heading of its column in an imported CSV file. */
  csvImport?: string
  /** The server derives it from other data, so sentences about changes leave it out. */
  isDerived?: boolean
  /** How the form edits it. */
  control?: 'text' | 'optionalText' | 'secret' | 'choice' | 'switch' | 'day' | 'file'
  /** Whose data it is: personal and health data never appear in a log. */
  privacy: 'none' | 'personal' | 'health'
}

/** Requires a description of each field of a record but its id and version. */
export type Fields<R, Id extends string = never> = Record<Exclude<keyof R & string, Id | 'versao'>, Field>

/** A kind of record whose records prevent the deletion of one that they refer to. */
export interface Dependant {
  kind: string
  /** Its column with the id of the record. */
  column: string
  /** 'relatório', 'relatórios' */
  names: readonly [one: string, many: string]
  /** The pronoun of 'Exclua-o primeiro.' */
  pronoun: 'o' | 'a'
  /** The parameter by which the page of its list filters. */
  filter?: string
}

/** A kind of record: what its forms, lists, CSV, audit, locks and tests have in common. */
export interface Entity {
  /** The prefix of its name in the audit: `workspace:12`. */
  kind: string
  /** 'Workspace' in 'Workspace nº 12'. */
  title: string
  /** Its list in the audit and in file names, and the first part of the web's query keys. */
  list: string
  /** 'Lista de workspaces' */
  listTitle?: string
  /** Address of its calls, without `/api`. */
  path: string
  /** Of all calls on its records, except where one says otherwise. */
  permission: Permission
  /** The table with its id and name; health data have no readable name. */
  table: string
  id: string
  /** The id on the wire, where it is not the column's name. */
  wireId?: string
  name?: string
  /** A second line that distinguishes records of the same name. */
  hint?: string
  /** Audited actions → text in the portal. */
  actions: Record<`${string}.${string}`, string>
  /** Fields of an audit line's details that hold ids of such records. */
  references?: readonly string[]
  /** The unique constraint, its problem, and the body field that shows it. */
  unique?: { constraint: string; problem: ProblemCode; field: string }
  /** What prevents the deletion of a record. */
  dependants?: readonly Dependant[]
  /** Paths of the list and of the form, whose last part is the record's id. */
  pages?: { list: string; form: string }
  /** Its section in the menu of administrators, and the link to the list. */
  menu?: { title: string; phoneTitle: string; list: string }
  fields: Record<string, Field>
}

type Described = { fields: Record<string, Field> }

export const entity = <const E extends Entity>(definition: E): E => definition

/** The names of the fields with such a description. */
export type FieldOf<E extends Described, D> = {
  [F in keyof E['fields'] & string]: E['fields'][F] extends D ? F : never
}[keyof E['fields'] & string]

/** Returns the names of the fields for which the property is one of the values. */
export const fieldsWhere = <E extends Described, P extends keyof Field, const V>(
  { fields }: E,
  property: P,
  values: readonly V[],
): FieldOf<E, { [K in P]: V }>[] =>
  Object.keys(fields).filter((name) => values.some((value) => value === fields[name]?.[property])) as FieldOf<
    E,
    { [K in P]: V }
  >[]

/** Returns field → heading of its column in lists. */
export const columnsOf = <E extends Described>({ fields }: E) =>
  mapFields<keyof E['fields'] & string>(fields, ({ column, label }) => column ?? label)

/** Returns field → label in forms. */
export const labelsOf = <E extends Described>({ fields }: E) =>
  mapFields<keyof E['fields'] & string>(fields, ({ label }) => label)

/** Returns field → heading in the exported CSV. */
export const csvColumnsOf = ({ fields }: Pick<Entity, 'fields'>) =>
  mapFields(fields, ({ csv, column, label }) => (csv === true ? (column ?? label) : csv || undefined))

export type ImportField<E extends Described> = FieldOf<E, { csvImport: string }>

/** Returns field → heading in an imported CSV file. */
export const csvImportOf = <E extends Described>({ fields }: E) =>
  mapFields<ImportField<E>>(fields, ({ csvImport }) => csvImport)

const cell = z.string().max(1000)

/** Returns the schema of a line of an imported CSV file as typed, with its number in the file. */
export const importLineOf = <E extends Described, const R extends ImportField<E>>(
  entity: E,
  required: readonly R[],
) => {
  const isRequired = new Set<string>(required)
  const cells = Object.keys(csvImportOf(entity)).map((name) => [
    name,
    isRequired.has(name) ? cell : cell.optional(),
  ])
  return z.object({
    linha: z.number().int().min(1).max(1_000_000),
    ...(Object.fromEntries(cells) as Record<R, z.ZodString> &
      Record<Exclude<ImportField<E>, R>, z.ZodOptional<z.ZodString>>),
  })
}

/** The check of an import before it is done: `shape` is what identifies a line to the reader. */
export const importPreviewOf = <S extends z.ZodRawShape>(id: string, shape: S) =>
  namedObject(id, {
    linhas: z.array(
      z.object({
        linha: z.number().int(),
        ...shape,
        /** Field → Portuguese message; empty when the line can be imported. */
        erros: z.record(z.string(), z.string()),
      }),
    ),
    /** Number of lines that can be imported, and of lines with a fault. */
    validas: z.number().int(),
    invalidas: z.number().int(),
  })

const mapFields = <K extends string>(
  fields: Record<string, Field>,
  textOf: (field: Field) => string | undefined,
): Record<K, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const text = textOf(field)
      return text === undefined ? [] : [[name, text]]
    }),
  ) as Record<K, string>
