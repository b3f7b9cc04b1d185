import { sql } from 'kysely'
import { encryptionContext } from '../clinical/places.ts'
import { ConfigError } from '../config/config.ts'
import type { Sealed, Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'

interface SealedColumn {
  /** SQL names. */
  table: string
  column: string
  key: string
  /** Portuguese singular and plural for messages. */
  one: string
  many: string
  /** What happens when the key is lost: the row is deleted or its value emptied. */
  withoutIt: 'row goes' | 'value goes'
  /** The encryption context (clinical/places.ts): column, and SQL that identifies the row. */
  place?: { column: string; identity: readonly string[] }
}

type SealedColumnName = {
  [T in keyof Tables & string]: {
    [C in keyof Tables[T] & string]: [Extract<Tables[T][C], Sealed>] extends [never] ? never : `${T}.${C}`
  }[keyof Tables[T] & string]
}[keyof Tables & string]

/** Every column of `seal`'s values. The compiler refuses the list when one is missing. */
export const sealedColumns = {
  'powerbi.segredo': {
    table: 'powerbi',
    column: 'segredo',
    key: 'id_power_bi',
    one: 'senha de Powerbi',
    many: 'senhas de Powerbi',
    withoutIt: 'value goes',
  },
  'segundoFator.segredo': {
    table: 'segundo_fator',
    column: 'segredo',
    key: 'id_usuario',
    one: 'segredo de segundo fator',
    many: 'segredos de segundo fator',
    withoutIt: 'row goes',
  },
  'segundoFatorNovo.segredo': {
    table: 'segundo_fator_novo',
    column: 'segredo',
    key: 'id_usuario',
    one: 'segredo de aparelho novo',
    many: 'segredos de aparelhos novos',
    withoutIt: 'row goes',
  },
  'mensagem.conteudo': {
    table: 'mensagem',
    column: 'conteudo',
    key: 'id_mensagem',
    one: 'mensagem na fila',
    many: 'mensagens na fila',
    withoutIt: 'row goes',
  },
  'beneficiario.dados': {
    table: 'beneficiario',
    column: 'dados',
    key: 'id',
    one: 'beneficiário',
    many: 'beneficiários',
    withoutIt: 'value goes',
    place: { column: 'beneficiario.dados', identity: ['id', 'versao'] },
  },
  'beneficiarioVersao.dados': {
    table: 'beneficiario_versao',
    column: 'dados',
    key: 'id',
    one: 'versão anterior de beneficiário',
    many: 'versões anteriores de beneficiários',
    withoutIt: 'value goes',
    place: { column: 'beneficiario.dados', identity: ['beneficiario', 'versao'] },
  },
  'prontuario.conteudo': {
    table: 'prontuario',
    column: 'conteudo',
    key: 'id',
    one: 'prontuário',
    many: 'prontuários',
    withoutIt: 'value goes',
    place: { column: 'prontuario.conteudo', identity: ['id', 'beneficiario', 'versao'] },
  },
  'prontuario.motivo': {
    table: 'prontuario',
    column: 'motivo',
    key: 'id',
    one: 'motivo de arquivamento de prontuário',
    many: 'motivos de arquivamento de prontuários',
    withoutIt: 'value goes',
    place: { column: 'prontuario.motivo', identity: ['id', 'beneficiario'] },
  },
  'prontuarioVersao.conteudo': {
    table: 'prontuario_versao',
    column: 'conteudo',
    key: 'id',
    one: 'versão anterior de prontuário',
    many: 'versões anteriores de prontuários',
    withoutIt: 'value goes',
    place: {
      column: 'prontuario.conteudo',
      identity: [
        'prontuario',
        '(select p.beneficiario from prontuario p where p.id = prontuario_versao.prontuario)',
        'versao',
      ],
    },
  },
  'anexo.dados': {
    table: 'anexo',
    column: 'dados',
    key: 'id',
    one: 'anexo',
    many: 'anexos',
    withoutIt: 'value goes',
    place: { column: 'anexo.dados', identity: ['id', 'beneficiario'] },
  },
  'anexo.chaveArquivo': {
    table: 'anexo',
    column: 'chave_arquivo',
    key: 'id',
    one: 'chave de arquivo anexo',
    many: 'chaves de arquivos anexos',
    withoutIt: 'value goes',
    place: { column: 'anexo.chave_arquivo', identity: ['id', 'beneficiario', 'arquivo'] },
  },
  'anexo.motivo': {
    table: 'anexo',
    column: 'motivo',
    key: 'id',
    one: 'motivo de arquivamento de anexo',
    many: 'motivos de arquivamento de anexos',
    withoutIt: 'value goes',
    place: { column: 'anexo.motivo', identity: ['id', 'beneficiario'] },
  },
  'acessoSaude.finalidadeTexto': {
    table: 'acesso_saude',
    column: 'finalidade_texto',
    key: 'id_acesso',
    one: 'finalidade de acesso',
    many: 'finalidades de acesso',
    withoutIt: 'value goes',
    place: { column: 'acesso_saude.finalidade_texto', identity: ['id_acesso'] },
  },
  'incidente.conteudo': {
    table: 'incidente',
    column: 'conteudo',
    key: 'id',
    one: 'incidente',
    many: 'incidentes',
    withoutIt: 'value goes',
    place: { column: 'incidente.conteudo', identity: ['id', 'versao'] },
  },
} as const satisfies Record<SealedColumnName, SealedColumn>

export const allSealedColumns: readonly SealedColumn[] = Object.values(sealedColumns)

/** Returns SQL for one column with the identity that `placeIn` takes. */
export const identityOf = ({ place }: SealedColumn) =>
  place ? sql`json_build_array(${sql.raw(place.identity.join(', '))})` : sql`null::json`

/** @param identity as read from the row */
export const placeIn = ({ place }: SealedColumn, identity: (number | string | null)[] | null) =>
  place && encryptionContext(place.column, identity ?? [])

/** SQL for the key id in a sealed text; null when there is no value. */
export const keyIdIn = ({ column }: SealedColumn) => sql`split_part(nullif(${sql.ref(column)}, ''), '.', 2)`

export interface SealedCount {
  column: SealedColumn
  /** Id of a sealing key, known or unknown. */
  keyId: string
  total: number
}

/** Counts the values per column and key. */
export const countSealed = async (db: Db): Promise<SealedCount[]> => {
  const counts: SealedCount[] = []
  for (const column of allSealedColumns) {
    const { rows } = await sql<{ keyId: string; total: number }>`
      select ${keyIdIn(column)} as "key_id", count(*) as total from ${sql.table(column.table)}
      where ${sql.ref(column.column)} <> ''
      group by 1 order by 2 desc`.execute(db)
    counts.push(...rows.map((row) => ({ column, ...row })))
  }
  return counts
}

/** SQL for the ids of the keys in use, by index steps: a start must not count a million rows. */
export const sealingKeysInUse = () => {
  const perColumn = allSealedColumns.map((column) => {
    const [key, table] = [keyIdIn(column), sql.table(column.table)]
    // Needed for the planner to use the partial index.
    const present = sql`${sql.ref(column.column)} is not null`
    return sql`select id from (
      with recursive used(id) as (
        select (select min(${key}) from ${table} where ${present})
        union all
        select (select min(${key}) from ${table} where ${present} and ${key} > used.id) from used where used.id is not null
      ) select id from used where id is not null) one`
  })
  return sql<{ id: string }>`${sql.join(perColumn, sql` union `)}`
}

export const inWords = ({ column: { one, many }, total }: Pick<SealedCount, 'column' | 'total'>): string =>
  `${total} ${total === 1 ? one : many}`

const list = new Intl.ListFormat('pt-BR', { type: 'conjunction' })

/**
 * Refuses to continue with keys that do not open the stored values: new values would be sealed with
 * another key.
 * @throws ConfigError that names what cannot be opened
 */
export const assertKeysOpen = async (db: Db, { sealingKeyIds }: Secrets): Promise<void> => {
  const { rows: used } = await sealingKeysInUse().execute(db)
  if (used.every(({ id }) => sealingKeyIds.includes(id))) return
  const lost = (await countSealed(db)).filter(({ keyId }) => !sealingKeyIds.includes(keyId))
  if (lost.length === 0) return
  const keys = [...new Set(lost.map(({ keyId }) => keyId || '?'))].join(', ')
  throw new ConfigError(
    `Falta uma chave: ${list.format(lost.map(inWords))} no banco foram cifrados com outra (${keys}). Informe-a em APP_SECRET, em APP_SECRET_PREVIOUS ou no arquivo app-secret.key da pasta de dados. Se ela se perdeu, rode "npm run secrets:rotate -- --discard-lost", que descarta o que não se abre mais.`,
  )
}
