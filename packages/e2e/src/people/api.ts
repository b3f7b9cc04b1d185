import {
  ApiProblem,
  type Call,
  createClient,
  type MenuWorkspace,
  menusApi,
  ownSessionsApi,
  sessionsApi,
} from '@bi-manager/contract'
import type { Person } from './people.ts'

/** The name of the demo's connection; other journeys add connections and delete them. */
export const demoConnection = 'Serviço de relatórios local'

/** Sign-outs of the clients that are open: a person's twenty-first session ends their first. */
const signOuts: (() => Promise<unknown>)[] = []

/** Signs out the clients opened since a call of `mark`, for the setup of the journeys. */
export const openClients = {
  mark: () => signOuts.length,
  endSince: async (mark: number) => {
    // A journey may have stopped the portal, or ended the session.
    await Promise.allSettled(signOuts.splice(mark).map((signOut) => signOut()))
  },
}

/**
 * Returns an API client signed in as this person, as another program would use it. It is signed out
 * at the end of the test, or of the file when a hook opens it.
 */
export const signedInClient = async (portal: string, { email, password }: Person) => {
  const baseUrl = `${portal}/api`
  const { access_token } = await createClient({ baseUrl })(sessionsApi.signIn, {
    body: { username: email, password },
  })
  const send = createClient({ baseUrl, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  /** On a busy machine, the setup of a journey may be older than a recent proof. */
  const call: Call = (endpoint, ...rest) =>
    send(endpoint, ...rest).catch(async (error: unknown) => {
      if (!(error instanceof ApiProblem) || error.codigo !== 'reautenticacao_necessaria') throw error
      await send(ownSessionsApi.confirm, { body: { senha: password } })
      return send(endpoint, ...rest)
    })
  signOuts.push(() => call(sessionsApi.signOut))
  return { call, menu: (): Promise<MenuWorkspace[]> => call(menusApi.list) }
}

const slug = (name: string) => encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))

/** Returns every report of a menu with its portal address, in the specification's form. */
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
