import { type IdentityRules, sendsIdentity } from '../../connections/index.ts'

/** A report as a person sees it, and whether they made the choice themselves. */
type Seen = Pick<IdentityRules, 'papeisRls' | 'enviaIdentidade'> & { isVisible: boolean; isOwn: boolean }

/**
 * Whether a person may read what was chosen in a report: filters, parameters, selections, a row. The
 * choice of another person may name rows that only they see, unless the report shows all the same rows.
 */
export const mayReadChoice = ({ isVisible, isOwn, ...report }: Seen): boolean =>
  isVisible && (isOwn || !sendsIdentity(report))
