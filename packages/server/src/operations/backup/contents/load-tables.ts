import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { countText } from '../../../platform/lib/count-text.ts'
import type { BackupFile, Manifest } from './manifest.ts'
import { readTables } from './schema.ts'

/** Loads the tables of a backup into a schema of the same migrations, replacing all rows. */
export const loadTables = async (
  tx: Db,
  folder: string,
  { tabelas, sequencias }: Pick<Manifest, 'tabelas' | 'sequencias'>,
): Promise<void> => {
  const tables = await readTables(tx)
  // The rows include what triggers compute: enabled triggers would count it twice.
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx)
  for (const { name } of tables) {
    const given = tabelas.find(({ nome }) => nome === name)
    if (!given) throw new CommandError(`A cópia não tem a tabela ${name}.`)
    await loadTable(tx, folder, given)
  }
  for (const { nome, valor } of sequencias) {
    if (valor !== null) await sql`select setval(${nome}::regclass, ${valor}::bigint)`.execute(tx)
  }
  await tx.updateTable('sessao').set({ encerradaEm: new Date() }).where('encerradaEm', 'is', null).execute()
  // Connected screens, visits of guests and API keys end like sessions. Older schemas lack these tables.
  if (tables.some(({ name }) => name === 'telao_tela')) await tx.deleteFrom('telaoTela').execute()
  if (tables.some(({ name }) => name === 'convidado_visita')) {
    await tx.deleteFrom('convidadoVisita').execute()
    await tx.deleteFrom('convidadoLink').execute()
  }
  if (tables.some(({ name }) => name === 'chave_api')) await tx.deleteFrom('chaveApi').execute()
  for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
}

const loadTable = async (
  tx: Db,
  folder: string,
  { nome, colunas, linhas, arquivo }: Manifest['tabelas'][number],
): Promise<void> => {
  const table = sql.table(nome)
  const columns = sql.join(colunas.map((column) => sql.ref(column)))
  for await (const batch of readBatches(join(folder, arquivo.caminho), arquivo)) {
    await sql`insert into ${table} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${table}, ${`[${batch.join(',')}]`}::json)`.execute(
      tx,
    )
  }
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${table}`.execute(tx)
  const total = rows[0]?.total ?? 0
  if (total !== linhas) {
    throw new CommandError(
      `A tabela ${nome} da cópia tem ${countText(total, 'linha', 'linhas')}, e o manifesto diz ${linhas}.`,
    )
  }
}

const rowsAtOnce = 500
const charactersAtOnce = 1_000_000

/**
 * Yields batches of lines, which are rows as JSON. Splits at line feeds only: readline also splits
 * at U+2028, which names may contain.
 */
async function* readBatches(file: string, { sha256 }: BackupFile): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let batch: string[] = []
  let characters = 0
  const hash = createHash('sha256')
  // The digest was checked before, but the file may have changed since.
  const source = createReadStream(file).on('data', (chunk) => hash.update(chunk))
  for await (const chunk of source.pipe(createGunzip())) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      batch.push(line)
      characters += line.length
      if (batch.length < rowsAtOnce && characters < charactersAtOnce) continue
      yield batch
      batch = []
      characters = 0
    }
  }
  if (batch.length > 0) yield batch
  if (hash.digest('hex') !== sha256) throw new Error(`${file} was changed while it was loaded.`)
}
