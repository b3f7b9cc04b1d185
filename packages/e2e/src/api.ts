import { createClient, type MenuWorkspace, menusApi, sessionsApi } from '@bi-manager/contract'
import type { Person } from './people.ts'

/** The portal's API as another program would use it, signed in as this person. */
export const signedInClient = async (portal: string, { email, password }: Person) => {
  const baseUrl = `${portal}/api`
  const { access_token } = await createClient({ baseUrl })(sessionsApi.signIn, {
    body: { username: email, password },
  })
  const call = createClient({ baseUrl, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  return { call, menu: (): Promise<MenuWorkspace[]> => call(menusApi.list) }
}

const slug = (name: string) => encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))

/** Every report of a menu with its address in the portal, in the spec's form. */
export const reportsOf = (menu: MenuWorkspace[]) =>
  menu.flatMap(({ workspace, groupId, relatorios }) =>
    relatorios.map(({ nome, reportId, idRelatorio }) => ({
      workspace,
      groupId,
      reportId,
      idRelatorio,
      name: nome,
      path: `/relatorio-embed/${slug(workspace)}/${slug(nome)}/${groupId}/${reportId}`,
    })),
  )
