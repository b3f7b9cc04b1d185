import { sql } from 'kysely'
import { encryptionContext } from '../../clinical/index.ts'
import { ConfigError } from '../../platform/config/config.ts'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'

interface ColumnFacts {
  /** SQL name of the table's key; `id` when omitted. */
  key?: string
  /** Portuguese singular and plural for messages. */
  one: string
  many: string
  /** Deletes the row when the key is lost; otherwise only the value is emptied. */
  dropsRow?: true
  /** SQL that identifies the row in the encryption context (clinical/health-data/encryption-contexts.ts). */
  identity?: readonly string[]
  /** Column in the encryption context, where it is another than this one. */
  sealedAs?: string
}

type EncryptedColumnName = {
  [T in keyof Tables & string]: {
    [C in keyof Tables[T] & string]: [Extract<Tables[T][C], Encrypted>] extends [never] ? never : `${T}.${C}`
  }[keyof Tables[T] & string]
}[keyof Tables & string]

const recordOfVersion = '(select p.beneficiario from prontuario p where p.id = prontuario_versao.prontuario)'

/** Every column of encrypted values. The compiler refuses the list when one is missing. */
const encryptedColumns: Record<EncryptedColumnName, ColumnFacts> = {
  'powerbi.segredo': { key: 'id_power_bi', one: 'senha de Powerbi', many: 'senhas de Powerbi' },
  'segundoFator.segredo': {
    key: 'id_usuario',
    one: 'segredo de segundo fator',
    many: 'segredos de segundo fator',
    dropsRow: true,
  },
  'segundoFatorNovo.segredo': {
    key: 'id_usuario',
    one: 'segredo de aparelho novo',
    many: 'segredos de aparelhos novos',
    dropsRow: true,
  },
  'mensagem.conteudo': {
    key: 'id_mensagem',
    one: 'mensagem na fila',
    many: 'mensagens na fila',
    dropsRow: true,
  },
  'agendaDados.endereco': {
    key: 'id_agenda',
    one: 'endereço de dados agendados',
    many: 'endereços de dados agendados',
    dropsRow: true,
  },
  'assinaturaArquivo.chave': {
    key: 'id_arquivo',
    one: 'arquivo de assinatura',
    many: 'arquivos de assinaturas',
    dropsRow: true,
  },
  'alerta.webhook': { key: 'id_alerta', one: 'webhook de alerta', many: 'webhooks de alertas' },
  'senhaPdf.senha': { key: 'id_usuario', one: 'senha de PDFs', many: 'senhas de PDFs' },
  'beneficiario.dados': { one: 'beneficiário', many: 'beneficiários', identity: ['id', 'versao'] },
  'beneficiarioVersao.dados': {
    one: 'versão anterior de beneficiário',
    many: 'versões anteriores de beneficiários',
    sealedAs: 'beneficiario.dados',
    identity: ['beneficiario', 'versao'],
  },
  'prontuario.conteudo': {
    one: 'prontuário',
    many: 'prontuários',
    identity: ['id', 'beneficiario', 'versao'],
  },
  'prontuario.motivo': {
    one: 'motivo de arquivamento de prontuário',
    many: 'motivos de arquivamento de prontuários',
    identity: ['id', 'beneficiario'],
  },
  'prontuarioVersao.conteudo': {
    one: 'versão anterior de prontuário',
    many: 'versões anteriores de prontuários',
    sealedAs: 'prontuario.conteudo',
    identity: ['prontuario', recordOfVersion, 'versao'],
  },
  'anexo.dados': { one: 'anexo', many: 'anexos', identity: ['id', 'beneficiario'] },
  'anexo.chaveArquivo': {
    one: 'chave de arquivo anexo',
    many: 'chaves de arquivos anexos',
    identity: ['id', 'beneficiario', 'arquivo'],
  },
  'anexo.motivo': {
    one: 'motivo de arquivamento de anexo',
    many: 'motivos de arquivamento de anexos',
    identity: ['id', 'beneficiario'],
  },
  'acessoSaude.finalidadeTexto': {
    key: 'id_acesso',
    one: 'finalidade de acesso',
    many: 'finalidades de acesso',
    identity: ['id_acesso'],
  },
  'incidente.conteudo': { one: 'incidente', many: 'incidentes', identity: ['id', 'versao'] },
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const allEncryptedColumns = Object.entries(encryptedColumns).map(([name, facts]) => {
  const sqlName = inSnakeCase(name)
  const [table = '', column = ''] = sqlName.split('.')
  return { table, column, key: 'id', sealedAs: sqlName, ...facts }
})

type EncryptedColumn = (typeof allEncryptedColumns)[number]

/** Returns SQL for one column with the identity that `contextIn` takes. */
export const identityOf = ({ identity }: EncryptedColumn) =>
  identity ? sql`json_build_array(${sql.raw(identity.join(', '))})` : sql`null::json`

/** @param identity as read from the row */
export const contextIn = (column: EncryptedColumn, identity: (number | string | null)[] | null) =>
  column.identity && encryptionContext(column.sealedAs, identity ?? [])

/** SQL for the key id in an encrypted text; null when there is no value. */
export const keyIdIn = ({ column }: EncryptedColumn) =>
  sql`split_part(nullif(${sql.ref(column)}, ''), '.', 2)`

export interface EncryptedCount {
  column: EncryptedColumn
  /** Id of a sealing key, known or unknown. */
  keyId: string
  total: number
}

/** Counts the values per column and key. */
export const countEncrypted = async (db: Db): Promise<EncryptedCount[]> => {
  const counts: EncryptedCount[] = []
  for (const column of allEncryptedColumns) {
    const { rows } = await sql<{ keyId: string; total: number }>`
      select ${keyIdIn(column)} as "key_id", count(*) as total from ${sql.table(column.table)}
      where ${sql.ref(column.column)} <> ''
      group by 1 order by 2 desc`.execute(db)
    counts.push(...rows.map((row) => ({ column, ...row })))
  }
  return counts
}

/** SQL for the ids of the keys in use, by index steps: a start must not count a million rows. */
export const encryptionKeysInUse = () => {
  const perColumn = allEncryptedColumns.map((column) => {
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

export const inWords = ({ column: { one, many }, total }: Pick<EncryptedCount, 'column' | 'total'>): string =>
  `${total} ${total === 1 ? one : many}`

const list = new Intl.ListFormat('pt-BR', { type: 'conjunction' })

/**
 * Refuses to continue with keys that do not decrypt the stored values: new values would be encrypted with
 * another key.
 * @throws ConfigError that names what cannot be decrypted
 */
export const assertKeysDecrypt = async (db: Db, { encryptionKeyIds }: Secrets): Promise<void> => {
  const { rows: used } = await encryptionKeysInUse().execute(db)
  if (used.every(({ id }) => encryptionKeyIds.includes(id))) return
  const lost = (await countEncrypted(db)).filter(({ keyId }) => !encryptionKeyIds.includes(keyId))
  if (lost.length === 0) return
  const keys = [...new Set(lost.map(({ keyId }) => keyId || '?'))].join(', ')
  throw new ConfigError(
    `Falta uma chave: ${list.format(lost.map(inWords))} no banco foram cifrados com outra (${keys}). Informe-a em APP_SECRET, em APP_SECRET_PREVIOUS ou no arquivo app-secret.key da pasta de dados. Se ela se perdeu, rode "npm run secrets:rotate -- --discard-lost", que descarta o que não se abre mais.`,
  )
}
