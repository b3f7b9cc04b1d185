import { type Entity, entities } from '@bi-manager/contract'

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
  ...entities.flatMap(({ kind, pages, menu }: Entity) =>
    pages && menu
      ? {
          title: menu.title,
          phoneTitle: menu.phoneTitle,
          links: [
            { label: menu.list, to: pages.list },
            { label: 'Cadastrar', to: pages.form },
            ...(kind === 'relatorio'
              ? [
                  { label: 'Publicar', to: '/publicar', name: 'Publicar relatórios' },
                  { label: 'Publicados', to: '/publicados', name: 'Relatórios publicados' },
                ]
              : []),
          ],
        }
      : [],
  ),
  {
    title: 'Permissões',
    phoneTitle: 'Permissões',
    links: [
      { label: 'Por usuário', to: '/searchRelatorio', name: 'Permissões por usuário' },
      { label: 'Por perfil', to: '/permissao-relatorio', name: 'Permissões por perfil' },
      { label: 'Convidados', to: '/convidados', name: 'Convidados' },
      { label: 'Pedidos', to: '/pedidos-acesso', name: 'Pedidos de acesso' },
      { label: 'Por que vê?', to: '/permissoes/porque', name: 'Por que vê?' },
    ],
  },
  {
    title: 'Segurança',
    phoneTitle: 'Segurança',
    links: [
      { label: 'Regras', to: '/seguranca', name: 'Regras de segurança' },
      { label: 'Auditoria', to: '/auditoria', name: 'Auditoria' },
      { label: 'Chaves de API', to: '/chaves-de-api', name: 'Chaves de API de todos' },
    ],
  },
  {
    title: 'Sistema',
    phoneTitle: 'Sistema',
    links: [
      { label: 'Situação', to: '/situacao', name: 'Situação do sistema' },
      { label: 'Uso', to: '/uso', name: 'Uso dos relatórios' },
      { label: 'Assinaturas', to: '/assinaturas/todas', name: 'Assinaturas de todos' },
      { label: 'Alertas', to: '/alertas/todos', name: 'Alertas de todos' },
      { label: 'Aparência', to: '/aparencia' },
    ],
  },
]
