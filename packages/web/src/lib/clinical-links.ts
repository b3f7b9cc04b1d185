import { type CurrentUser, can, type Permission } from '@bi-manager/contract'

interface ClinicalLink {
  label: string
  to: string
  permission: Permission
}

/** What stands on medical records beside the panel: shown to whom a flag opens it, whatever their role. */
const links: ClinicalLink[] = [
  { label: 'Beneficiários', to: '/beneficiarios', permission: 'records:access' },
  { label: 'Proteção de dados', to: '/protecao-de-dados', permission: 'data-protection:manage' },
]

export const clinicalLinksOf = (user: CurrentUser | undefined): ClinicalLink[] =>
  user ? links.filter(({ permission }) => can({ ...user, tipo: user.tipoUsuario }, permission)) : []
