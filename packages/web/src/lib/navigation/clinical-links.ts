import { type CurrentUser, can, type Permission } from '@bi-manager/contract'

/** The pages on medical records. Flags of the user open them, not the role. */
const links: { label: string; to: string; permission: Permission }[] = [
  { label: 'Beneficiários', to: '/beneficiarios', permission: 'records:access' },
  { label: 'Proteção de dados', to: '/protecao-de-dados', permission: 'data-protection:manage' },
]

export const clinicalLinksOf = (user: CurrentUser | undefined): typeof links =>
  user ? links.filter(({ permission }) => can({ ...user, tipo: user.tipoUsuario }, permission)) : []
