import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Tables } from '../db/types.ts'
import type { Secrets } from '../secrets.ts'
import { purposePlace } from './places.ts'
import { drawNumbers } from './row-numbers.ts'

export type AccessRow = Selectable<Tables['acessoSaude']>

/** A row that is to be written, with its text as it was typed. */
export type NewAccess = Omit<AccessRow, 'idAcesso' | 'finalidadeTexto' | 'chave' | 'marca'> & {
  texto: string | null
}

/** What the audit trail's line of the call keeps of the rows that the call wrote. */
export interface AccessSeal {
  /** Their numbers: `12-15,17`. */
  linhas: string
  resumo: string
}

/**
 * Writes rows of the access log, each with a keyed digest of itself: one that was altered, or written behind the program's back,
 * shows.
 * @returns what shows that one was deleted; undefined where there are none
 */
export const insertAccesses = async (
  tx: Db,
  secrets: Secrets,
  accesses: readonly NewAccess[],
): Promise<AccessSeal | undefined> => {
  if (accesses.length === 0) return undefined
  const numbers = await drawNumbers(tx, 'acesso_saude', accesses.length)
  const rows = accesses.map(({ texto, ...access }, index) => {
    const idAcesso = numbers[index] ?? 0
    const finalidadeTexto = texto === null ? null : secrets.seal(texto, purposePlace(idAcesso))
    const row = { ...access, idAcesso, finalidadeTexto }
    return { ...row, ...secrets.sign(rowText(row)) }
  })
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    // The same text however many they are, so that it is parsed and planned once.
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

/** Some 300 KB of text. */
const rowsAtOnce = 1_000

export const isAccessTrue = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, row: AccessRow): boolean =>
  signatureBy(row.chave, rowText(row)) === row.marca

/**
 * The row as one text, the same before it was written and after it was read. Of the purpose's text only whether there is one:
 * a rotation seals it anew, and it opens in its own row alone.
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

/** @param rows by number, from the lowest on */
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

/** Rows of one call at most: what claims more was not written by the program. */
const MOST_ROWS = 100_000

/** What `linhas` names; undefined where the program cannot have written it. */
export const numbersIn = (linhas: string): number[] | undefined => {
  const ranges = linhas.split(',').map((range) => {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range) ?? []
    return [Number(first), Number(last)] as const
  })
  if (
    ranges.some(([first, last]) => !(last >= first && last - first < MOST_ROWS)) ||
    ranges.length > MOST_ROWS
  ) {
    return undefined
  }
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
}
