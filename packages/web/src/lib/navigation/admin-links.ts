export interface AdminSection {
  /** Title in the settings popup. */
  title: string
  /** Title in the phone's menu. */
  phoneTitle: string
  /** `name` is the accessible name; the default is the section and the label. */
  links: { label: string; to: string; name?: string }[]
}

/** The pages of an ADMIN in the order of the settings popup. */
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
  {
    title: 'Permissões',
    phoneTitle: 'Permissões',
    links: [
      { label: 'Por usuário', to: '/searchRelatorio', name: 'Permissões por usuário' },
      { label: 'Por perfil', to: '/permissao-relatorio', name: 'Permissões por perfil' },
      { label: 'Por que vê?', to: '/permissoes/porque', name: 'Por que vê?' },
    ],
  },
  {
    title: 'Segurança',
    phoneTitle: 'Segurança',
    links: [
      { label: 'Regras', to: '/seguranca', name: 'Regras de segurança' },
      { label: 'Auditoria', to: '/auditoria', name: 'Auditoria' },
    ],
  },
  {
    title: 'Sistema',
    phoneTitle: 'Sistema',
    links: [{ label: 'Situação', to: '/situacao', name: 'Situação do sistema' }],
  },
]
