import { namedObject } from './endpoint.ts'
import type { Permission } from './permissions.ts'
import type { ProblemCode } from './problems.ts'
import { z } from './zod.ts'

/** The description of a record's field, used by all that shows, exports or audits it. */
export interface Field {
  /** Its name in forms, in sentences about changes and in the audit. */
  label: string
  /** Heading of its column in lists and in the exported CSV; default: the label. */
  column?: string
  /** Whether the exported CSV has it; a text is its heading there, instead of `column`. */
  csv?: boolean | string
  /** Heading of its column in an imported CSV file. */
  csvImport?: string
  /** The server derives it from other data, so sentences about changes leave it out. */
  isDerived?: boolean
  /** How the form edits it. The repository of users selects texts, choices and switches by it. */
  control?: 'text' | 'optionalText' | 'secret' | 'choice' | 'switch' | 'day' | 'file'
  /**
   * Whose data it is: personal and health data never appear in a log. A free text is `health` where it
   * is about patients; a note or a reason that need not name a person is `none`.
   */
  privacy: 'none' | 'personal' | 'health'
}

/** Descriptions of all fields of a record `R` but `versao` and its id, whose name is `Id`. */
export type Fields<R, Id extends string = never> = Record<Exclude<keyof R & string, Id | 'versao'>, Field>

/** A kind of record that refers to the described one, and so prevents its deletion. */
export interface Dependant {
  kind: string
  /** The column of its table that holds the id of the described record. */
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
  /** The plural in the audit and in file names, and the first part of the web's query keys. */
  list: string
  /** 'Lista de workspaces' */
  listTitle?: string
  /** Address of its calls, without `/api`. */
  path: string
  /** The permission that calls on its records require, unless a call names another one. */
  permission: Permission
  /** The table, and its columns for id and name. Kinds with health data have no `name`. */
  table: string
  id: string
  /** The id on the wire, where it is not the column's name. */
  wireId?: string
  name?: string
  /** A second line that distinguishes records of the same name. */
  hint?: string
  /** The text in the portal of each audited action. */
  actions: Record<`${string}.${string}`, string>
  /** The fields in the details of audit lines that hold ids of its records. */
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

/** The names of the fields whose description extends `D`. */
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

/** Returns the heading of each field's column in lists. */
export const headingsOf = <E extends Described>({ fields }: E) =>
  mapFields<keyof E['fields'] & string>(fields, ({ column, label }) => column ?? label)

/** Returns the label of each field in forms. */
export const labelsOf = <E extends Described>({ fields }: E) =>
  mapFields<keyof E['fields'] & string>(fields, ({ label }) => label)

/** Returns the heading in the exported CSV of each field that it has. */
export const csvColumnsOf = ({ fields }: Pick<Entity, 'fields'>) =>
  mapFields(fields, ({ csv, column, label }) => (csv === true ? (column ?? label) : csv || undefined))

export type ImportField<E extends Described> = FieldOf<E, { csvImport: string }>

/** Returns the heading in an imported CSV file of each field that can be imported. */
export const csvImportOf = <E extends Described>({ fields }: E) =>
  mapFields<ImportField<E>>(fields, ({ csvImport }) => csvImport)

const cell = z.string().max(1000)

/** Returns the schema of a line of an imported CSV file: its number, and its cells as typed. */
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

/**
 * Returns the schema of the preview of an import, which tells the user what is wrong in which line.
 * `id` names the schema; `shape` are the fields by which the user recognises a line.
 */
export const importPreviewOf = <S extends z.ZodRawShape>(id: string, shape: S) =>
  namedObject(id, {
    linhas: z.array(
      z.object({
        linha: z.number().int(),
        ...shape,
        /** A Portuguese message for each wrong field; empty when the line can be imported. */
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
