import { type IdentityRules, sendsIdentity } from '../../connections/index.ts'

/** A report as a person sees it, and whether they made the choice themselves. */
type Seen = Pick<IdentityRules, 'papeisRls' | 'enviaIdentidade'> & { isVisible: boolean; isOwn: boolean }

/**
 * Whether a person may read what was chosen in a report: filters, parameters, selections, a row. Made
 * by another person, a choice may name what only that one sees, unless the rows are the same for all.
 */
export const mayReadChoice = ({ isVisible, isOwn, ...report }: Seen): boolean =>
  isVisible && (isOwn || !sendsIdentity(report))
