/** The kinds of links in e-mails. */
export type LinkKind = 'recuperacao' | 'convite' | 'confirmacao' | 'segundo_fator'

/** The portal's page that each kind of link opens. */
export const linkPaths: Record<LinkKind, string> = {
  recuperacao: '/recovery-password',
  convite: '/convite',
  confirmacao: '/confirmar-email',
  segundo_fator: '/remover-segundo-fator',
}
