import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Tables } from '../../platform/db/types.ts'
import { purposeContext } from './encryption-contexts.ts'
import { reserveIds } from './row-numbers.ts'

type AccessRow = Selectable<Tables['acessoSaude']>

/** A row to insert, with the purpose's text not yet encrypted. */
type NewAccess = Omit<AccessRow, 'idAcesso' | 'finalidadeTexto' | 'chave' | 'marca'> & {
  texto: string | null
}

/** The part of a call's audit line that vouches for the access rows of the call. */
export interface AccessSeal {
  /** The ids of the rows: `12-15,17`. */
  linhas: string
  resumo: string
}

/**
 * Inserts rows into the access log, each with its HMAC, so that altered or forged rows are
 * detected.
 * @returns the values for the audit line, with which deleted rows are detected; undefined without
 * rows
 */
export const insertAccesses = async (
  tx: Db,
  secrets: Secrets,
  accesses: readonly NewAccess[],
): Promise<AccessSeal | undefined> => {
  if (accesses.length === 0) return undefined
  const numbers = await reserveIds(tx, 'acesso_saude', accesses.length)
  const rows = accesses.map(({ texto, ...access }, index) => {
    const idAcesso = numbers[index] ?? 0
    const finalidadeTexto = texto === null ? null : secrets.encrypt(texto, purposeContext(idAcesso))
    const row = { ...access, idAcesso, finalidadeTexto }
    return { ...row, ...secrets.sign(rowText(row)) }
  })
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    // The statement's text does not depend on the number of rows, so that it is prepared once.
    await sql`
      insert into acesso_saude (id_acesso, quando, id_usuario, nome_usuario, acao, objeto, id_objeto, beneficiario,
        finalidade, finalidade_texto, id_requisicao, chave, marca)
      select r."idAcesso", r.quando, r."idUsuario", r."nomeUsuario", r.acao, r.objeto, r."idObjeto", r.beneficiario,
        r.finalidade, r."finalidadeTexto", r."idRequisicao", r.chave, r.marca
      from json_to_recordset(${JSON.stringify(rows.slice(start, start + rowsAtOnce))}::json) as r(
        "idAcesso" bigint, quando timestamptz, "idUsuario" int, "nomeUsuario" text, acao text, objeto text,
        "idObjeto" int, beneficiario int, finalidade text, "finalidadeTexto" text, "idRequisicao" text,
        chave text, marca text)`.execute(tx)
  }
  return { linhas: rangesOf(numbers), resumo: digestOf(rows) }
}

/** About 300 KB of text. */
const rowsAtOnce = 1_000

export const hasValidAccessMac = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, row: AccessRow): boolean =>
  signatureBy(row.chave, rowText(row)) === row.marca

/**
 * Returns the row as text, the same before the insert and after a read. Of the purpose's text only
 * its presence counts: a key rotation encrypts it again, and it can only be decrypted in its own
 * row.
 */
const rowText = (row: Omit<AccessRow, 'chave' | 'marca'>): string =>
  JSON.stringify([
    'acesso',
    row.idAcesso,
    row.quando.toISOString(),
    row.idUsuario,
    row.nomeUsuario,
    row.acao,
    row.objeto,
    row.idObjeto,
    row.beneficiario,
    row.finalidade,
    row.finalidadeTexto !== null,
    row.idRequisicao,
  ])

/** @param rows sorted by id, ascending */
export const digestOf = (rows: readonly Pick<AccessRow, 'idAcesso' | 'marca'>[]): string => {
  const hash = createHash('sha256')
  for (const { idAcesso, marca } of rows) hash.update(`${idAcesso} ${marca}\n`)
  return hash.digest('base64url')
}

const rangesOf = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Upper bound of a call's rows: a longer list was not written by the portal. */
const MAX_ROWS = 100_000

/** Parses `linhas`; undefined for a text that the portal cannot have written. */
export const numbersIn = (linhas: string): number[] | undefined => {
  const ranges = linhas.split(',').map((range) => {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range) ?? []
    return [Number(first), Number(last)] as const
  })
  if (
    ranges.some(([first, last]) => !(last >= first && last - first < MAX_ROWS)) ||
    ranges.length > MAX_ROWS
  ) {
    return undefined
  }
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
}
