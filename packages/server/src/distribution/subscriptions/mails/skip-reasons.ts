/* Why an e-mail of a run is not sent, in Portuguese. Rows keep the text, so a changed one is new. */

/** Reasons that the owner or the recipient chose: the owner is not notified of them. */
export const UNCHANGED = 'Os dados são os do último e-mail.'
export const EMPTY = 'O relatório não tem linhas para esta pessoa.'
export const LEFT = 'Saiu da assinatura.'
export const NO_RECIPIENT = 'Não é mais destinatário da assinatura.'
export const WANTED_REASONS: readonly string[] = [UNCHANGED, EMPTY, LEFT, NO_RECIPIENT]

/** A reason of the recipient's account; `recipient.ts` has more. */
export const LOST_PDF_PASSWORD = 'A senha dos PDFs desta pessoa não abre mais: ela precisa definir outra.'

/** A remark about an e-mail that was sent. */
export const LINK_FOR_PASSWORD =
  'Recebeu um link: a pessoa definiu uma senha para os PDFs, e planilhas e imagens não podem ter senha.'

/** Reasons of the subscription or its owner. */
export const PAUSED = 'A assinatura foi pausada.'

interface Owner {
  isOwnerActive: boolean
  ownerSees: boolean
  nomeDono: string
}

/** Returns why the owner's account or permission stops the subscription, in Portuguese; null otherwise. */
export const ownerSkipReason = ({ isOwnerActive, ownerSees, nomeDono }: Owner): string | null => {
  if (!isOwnerActive) return `A conta de ${nomeDono}, que fez a assinatura, não está ativa.`
  return ownerSees ? null : `${nomeDono}, que fez a assinatura, não pode mais ver o relatório.`
}

export const ownerNoAdmin = (owner: string): string =>
  `${owner}, que fez a assinatura, não é mais administrador.`

/** Reasons of a run that took too long, or whose content has changed. */
export const CHANGED = 'O relatório, a assinatura ou a identidade da pessoa mudou durante o envio.'
export const GONE = 'A assinatura foi excluída, ou o envio já terminou.'
export const FILE_TOO_LATE = 'O envio não terminou em 24 horas.'
export const MAIL_TOO_LATE = 'O e-mail não saiu em 4 dias.'
