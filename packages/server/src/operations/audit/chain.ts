import type { Selectable } from 'kysely'
import { type AuditRow, rowText } from '../../platform/audit/row-text.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Tables } from '../../platform/db/types.ts'

/** A row with its HMAC and the id of its key; rows from before the chain have neither. */
export type SealedRow = AuditRow & Pick<Selectable<Tables['auditoria']>, 'chave' | 'marca'>
export type ChainLink = Selectable<Tables['auditoriaElo']>
export type ChainEnd = Selectable<Tables['auditoriaPonta']>

/** Creates the link of a row. `elo` is an HMAC over the previous link, its own position and the whole row. */
export const createChainLink = (
  { sign }: Pick<Secrets, 'sign'>,
  previous: string,
  { ordem, idAuditoria }: Pick<ChainLink, 'ordem' | 'idAuditoria'>,
  row: AuditRow,
): ChainLink => {
  const { chave, marca: elo } = sign(linkText(previous, { ordem, idAuditoria }, row))
  return { ordem, idAuditoria, chave, elo }
}

/**
 * Returns the link's expected HMAC under the key that it names; undefined when the key is not in
 * the ring.
 */
export const expectedLink = (
  { signatureBy }: Pick<Secrets, 'signatureBy'>,
  previous: string,
  link: ChainLink,
  row: AuditRow,
): string | undefined => signatureBy(link.chave, linkText(previous, link, row))

export const signChainEnd = (
  { sign }: Pick<Secrets, 'sign'>,
  end: Pick<ChainEnd, 'ponta' | 'ordem' | 'elo'>,
): ChainEnd => ({
  ...end,
  ...sign(endText(end)),
})

export const hasValidEndMac = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, end: ChainEnd): boolean =>
  signatureBy(end.chave, endText(end)) === end.marca

/**
 * Returns whether the row's HMAC is right. Rows from before the chain have none: only their link
 * protects them.
 */
export const hasValidRowMac = ({ signatureBy }: Pick<Secrets, 'signatureBy'>, row: SealedRow): boolean =>
  row.evento === null || row.chave === null
    ? row.evento === null && row.chave === null && row.marca === null
    : signatureBy(row.chave, rowText(row)) === row.marca

// The first word separates the kinds of text, so that none can pass as another.
const linkText = (
  previous: string,
  { ordem, idAuditoria }: Pick<ChainLink, 'ordem' | 'idAuditoria'>,
  row: AuditRow,
) => JSON.stringify(['elo', previous, ordem, idAuditoria, rowText(row)])

const endText = ({ ponta, ordem, elo }: Pick<ChainEnd, 'ponta' | 'ordem' | 'elo'>) =>
  JSON.stringify(['ponta', ponta, ordem, elo])
