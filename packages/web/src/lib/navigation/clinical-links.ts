import { type CurrentUser, can, type Permission } from '@bi-manager/contract'

interface ClinicalLink {
  label: string
  to: string
  permission: Permission
}

/** The pages on medical records. A flag opens them, whatever the role. */
const links: ClinicalLink[] = [
  { label: 'Beneficiários', to: '/beneficiarios', permission: 'records:access' },
  { label: 'Proteção de dados', to: '/protecao-de-dados', permission: 'data-protection:manage' },
]

export const clinicalLinksOf = (user: CurrentUser | undefined): ClinicalLink[] =>
  user ? links.filter(({ permission }) => can({ ...user, tipo: user.tipoUsuario }, permission)) : []
