import type { Secrets } from '../secrets.ts'
import { type AuditRow, rowText } from './row-text.ts'

export interface SealedRow extends AuditRow {
  chave: string | null
  marca: string | null
}

export interface Link {
  ordem: number
  idAuditoria: number
  chave: string
  elo: string
}

export interface End {
  ponta: 'inicio' | 'fim'
  ordem: number
  elo: string
  chave: string
  marca: string
}

/** A link depends on the link before it, its own place, and all of its row. */
export const forge = (
  { sign }: Pick<Secrets, 'sign'>,
  previous: string,
  { ordem, idAuditoria }: Pick<Link, 'ordem' | 'idAuditoria'>,
  row: AuditRow,
): Link => {
  const { chave, marca: elo } = sign(linkText(previous, { ordem, idAuditoria }, row))
  return { ordem, idAuditoria, chave, elo }
}

/** The link as it should be, under the key it names; undefined when the installation does not have that key. */
export const expectedLink = (
  { signatureBy }: Pick<Secrets, 'signatureBy'>,
  previous: string,
  link: Link,
  row: AuditRow,
): string | undefined => signatureBy(link.chave, linkText(previous, link, row))

export const markEnd = ({ sign }: Pick<Secrets, 'sign'>, end: Pick<End, 'ponta' | 'ordem' | 'elo'>): End => ({
  ...end,
  ...sign(endText(end)),
})

export const isEndTrue = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, end: End): boolean =>
  signatureBy(end.chave, endText(end)) === end.marca

/** Whether the row is as the program wrote it. Rows from before the chain carry no mark: only their link vouches for them. */
export const isRowTrue = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, row: SealedRow): boolean =>
  row.evento === null || row.chave === null
    ? row.evento === null && row.chave === null && row.marca === null
    : signatureBy(row.chave, rowText(row)) === row.marca

// The first word keeps the three kinds of text apart: none of them can pass for another.
const linkText = (
  previous: string,
  { ordem, idAuditoria }: Pick<Link, 'ordem' | 'idAuditoria'>,
  row: AuditRow,
) => JSON.stringify(['elo', previous, ordem, idAuditoria, rowText(row)])

const endText = ({ ponta, ordem, elo }: Pick<End, 'ponta' | 'ordem' | 'elo'>) =>
  JSON.stringify(['ponta', ponta, ordem, elo])
