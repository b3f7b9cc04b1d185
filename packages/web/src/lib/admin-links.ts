export interface AdminSection {
  /** In the settings popup. */
  title: string
  /** In the phone's menu. */
  phoneTitle: string
  links: { label: 'Listar' | 'Buscar' | 'Cadastrar'; to: string }[]
}

/** What an ADMIN manages, in the order of the settings popup. */
export const adminSections: AdminSection[] = [
  {
    title: 'Powerbi',
    phoneTitle: 'Powerbis',
    links: [
      { label: 'Listar', to: '/powerbi' },
      { label: 'Cadastrar', to: '/Registerpowerbi' },
    ],
  },
  {
    title: 'Workspaces',
    phoneTitle: 'Workspaces',
    links: [
      { label: 'Listar', to: '/workspace' },
      { label: 'Cadastrar', to: '/Registerworkspace' },
    ],
  },
  {
    title: 'Relatórios',
    phoneTitle: 'Relatórios',
    links: [
      { label: 'Listar', to: '/relatorio' },
      { label: 'Cadastrar', to: '/RegisterworkspaceRelatorios' },
    ],
  },
  {
    title: 'Usuários',
    phoneTitle: 'Usuários',
    links: [
      { label: 'Buscar', to: '/usuario' },
      { label: 'Cadastrar', to: '/cadastrar-usuario' },
    ],
  },
]
