import { parse } from 'libpg-query'

/* Finds statements of a migration that break code written for the previous schema. */

interface Constraint {
  contype: string
}
interface Command {
  subtype: string
  name?: string
  def?: { ColumnDef?: { colname?: string; constraints?: { Constraint: Constraint }[] } }
}
interface Relation {
  relname: string
}
interface Statement {
  CreateStmt?: { relation: Relation }
  AlterTableStmt?: { relation: Relation; cmds: { AlterTableCmd: Command }[] }
  RenameStmt?: { relation?: Relation; subname?: string; newname: string }
  DropStmt?: { removeType: string; objects: object[] }
}

/** Dropping one of these does not change the results of statements in old code. */
const harmlessDrops = ['OBJECT_INDEX', 'OBJECT_TRIGGER']

/**
 * Returns one sentence for each statement that makes old code fail: a name that is dropped or
 * renamed, a changed type, or a required value that old code does not write. Tables that the
 * migration itself creates are exempt.
 */
export async function breakingStatements(text: string): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Statement }[] }
  const created = new Set(stmts.flatMap(({ stmt }) => stmt.CreateStmt?.relation.relname ?? []))
  const found: string[] = []
  for (const { stmt } of stmts) {
    const { AlterTableStmt: alter, RenameStmt: rename, DropStmt: drop } = stmt
    if (drop && !harmlessDrops.includes(drop.removeType))
      found.push(`drops a ${drop.removeType.replace('OBJECT_', '').toLowerCase()}: ${namesIn(drop.objects)}`)
    if (rename && !created.has(rename.relation?.relname ?? ''))
      found.push(
        `renames ${[rename.relation?.relname, rename.subname].filter(Boolean).join('.')} to ${rename.newname}`,
      )
    if (!alter || created.has(alter.relation.relname)) continue
    const table = alter.relation.relname
    const commands = alter.cmds.map(({ AlterTableCmd: command }) => command)
    found.push(...commands.flatMap((command) => ofCommand(table, command)))
  }
  return found
}

function ofCommand(table: string, { subtype, name, def }: Command): string[] {
  const column = `${table}.${name ?? def?.ColumnDef?.colname}`
  if (subtype === 'AT_DropColumn') return [`drops the column ${column}`]
  if (subtype === 'AT_AlterColumnType') return [`changes the type of ${column}`]
  if (subtype === 'AT_SetNotNull') return [`makes ${column} not null: old code may write null`]
  if (subtype === 'AT_ColumnDefault' && !def) return [`takes the default from ${column}`]
  if (subtype !== 'AT_AddColumn') return []
  const kinds = (def?.ColumnDef?.constraints ?? []).map(({ Constraint: { contype } }) => contype)
  const isDemanded = kinds.includes('CONSTR_NOTNULL') || kinds.includes('CONSTR_PRIMARY')
  const hasValue = ['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'].some((kind) =>
    kinds.includes(kind),
  )
  return isDemanded && !hasValue ? [`adds ${column} as not null without a default`] : []
}

/** Returns the names in a dropped object, at any nesting. */
function namesIn(value: unknown): string {
  const names: string[] = []
  JSON.stringify(value, (key, inner) => {
    if (key === 'sval') names.push(String(inner))
    return key === 'objargs' || key === 'objfuncargs' ? undefined : inner
  })
  return names.join('.')
}
