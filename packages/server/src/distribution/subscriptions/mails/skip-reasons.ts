/* Why an e-mail of a run is not sent, in Portuguese. Rows keep the text, so a changed one is new. */

/** Reasons that the owner or the recipient chose: the owner is not notified of them. */
export const UNCHANGED = 'Os dados são os do último e-mail.'
export const EMPTY = 'O relatório não tem linhas para esta pessoa.'
export const LEFT = 'Saiu da assinatura.'
export const NO_RECIPIENT = 'Não é mais destinatário da assinatura.'
export const WANTED_REASONS: readonly string[] = [UNCHANGED, EMPTY, LEFT, NO_RECIPIENT]

/** Reasons of the recipient's account; `viewDenialReason` has more. */
export const INACTIVE = 'A conta não está ativa.'
export const UNCONFIRMED_EMAIL = 'O e-mail não foi confirmado.'
export const OTHER_DOMAIN = 'O e-mail não é de um domínio permitido.'
export const LOST_PDF_PASSWORD = 'A senha dos PDFs desta pessoa não abre mais: ela precisa definir outra.'

/** A remark about an e-mail that was sent. */
export const LINK_FOR_PASSWORD =
  'Recebeu um link: a pessoa definiu uma senha para os PDFs, e planilhas e imagens não podem ter senha.'

/** Reasons of the subscription or its owner. */
export const PAUSED = 'A assinatura foi pausada.'
export const ownerInactive = (owner: string): string =>
  `A conta de ${owner}, que fez a assinatura, não está ativa.`
export const ownerWithoutReport = (owner: string): string =>
  `${owner}, que fez a assinatura, não pode mais ver o relatório.`
export const ownerNoAdmin = (owner: string): string =>
  `${owner}, que fez a assinatura, não é mais administrador.`

/** Reasons of a run that took too long, or whose content has changed. */
export const CHANGED = 'O relatório, a assinatura ou a identidade da pessoa mudou durante o envio.'
export const GONE = 'A assinatura foi excluída, ou o envio já terminou.'
export const FILE_TOO_LATE = 'O envio não terminou em 24 horas.'
export const MAIL_TOO_LATE = 'O e-mail não saiu em 4 dias.'
