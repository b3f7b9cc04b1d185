import { type Actor, type Entity, entities, type Permission } from '@bi-manager/contract'
import { allowedByRole } from '../session/allowed-by-role.ts'
import { useSession } from '../session/session.ts'

interface AdminSection {
  /** Title in the settings popup. */
  title: string
  /** Title in the phone's menu. */
  phoneTitle: string
  /** `name` is the accessible name; the default is the section and the label. */
  links: AdminLink[]
}

interface AdminLink {
  label: string
  to: string
  name?: string
  /** Required to open the page. */
  permission: Permission
}

const sections: AdminSection[] = [
  ...entities.flatMap(({ kind, pages, menu, permission }: Entity) =>
    pages && menu
      ? {
          title: menu.title,
          phoneTitle: menu.phoneTitle,
          links: [
            { label: menu.list, to: pages.list, permission },
            { label: 'Cadastrar', to: pages.form, permission },
            ...(kind === 'relatorio'
              ? [
                  { label: 'Publicar', to: '/publicar', name: 'Publicar relatórios', permission },
                  { label: 'Publicados', to: '/publicados', name: 'Relatórios publicados', permission },
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
      {
        label: 'Por usuário',
        to: '/searchRelatorio',
        name: 'Permissões por usuário',
        permission: 'grants:manage',
      },
      {
        label: 'Por perfil',
        to: '/permissao-relatorio',
        name: 'Permissões por perfil',
        permission: 'profiles:manage',
      },
      { label: 'Convidados', to: '/convidados', name: 'Convidados', permission: 'guests:manage' },
      { label: 'Pedidos', to: '/pedidos-acesso', name: 'Pedidos de acesso', permission: 'grants:manage' },
      { label: 'Por que vê?', to: '/permissoes/porque', name: 'Por que vê?', permission: 'grants:manage' },
    ],
  },
  {
    title: 'Segurança',
    phoneTitle: 'Segurança',
    links: [
      { label: 'Regras', to: '/seguranca', name: 'Regras de segurança', permission: 'settings:manage' },
      { label: 'Auditoria', to: '/auditoria', name: 'Auditoria', permission: 'audit:read' },
      {
        label: 'Chaves de API',
        to: '/chaves-de-api',
        name: 'Chaves de API de todos',
        permission: 'api-keys:manage',
      },
    ],
  },
  {
    title: 'Sistema',
    phoneTitle: 'Sistema',
    links: [
      { label: 'Situação', to: '/situacao', name: 'Situação do sistema', permission: 'system:read' },
      { label: 'Uso', to: '/uso', name: 'Uso dos relatórios', permission: 'usage:read' },
      {
        label: 'Assinaturas',
        to: '/assinaturas/todas',
        name: 'Assinaturas de todos',
        permission: 'subscriptions:manage',
      },
      { label: 'Alertas', to: '/alertas/todos', name: 'Alertas de todos', permission: 'alerts:manage' },
      { label: 'Aparência', to: '/aparencia', permission: 'settings:manage' },
    ],
  },
]

/** Returns the pages that the role opens, in the order of the settings popup. */
export const adminSectionsOf = (tipo: Actor['tipo'] | undefined): AdminSection[] =>
  sections
    .map((section) => ({
      ...section,
      links: section.links.filter(({ permission }) => allowedByRole(tipo, permission)),
    }))
    .filter(({ links }) => links.length > 0)

/** The pages that the signed-in person's role opens. */
export const useAdminSections = (): AdminSection[] => adminSectionsOf(useSession()?.tipo)
