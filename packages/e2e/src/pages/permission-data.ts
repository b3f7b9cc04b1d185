import {
  grantsApi,
  type Profile,
  profilesApi,
  type ReportChoice,
  usersApi,
  workspacesApi,
} from '@bi-manager/contract'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

/**
 * Sets up a journey file about permissions: before each test the person has none; after each all
 * profiles of `mark` are deleted.
 * @param mark see `preparePermissions`
 */
export const permissionJourney = (mark: string) => {
  const portal = inject('portal')
  let data: PermissionData
  beforeAll(async () => {
    data = await preparePermissions(portal, mark)
  })
  beforeEach(() => data.grant([]))
  afterEach(() => data.removeProfiles())
  afterAll(() => data.remove())
  return {
    portal,
    /** `data` is available once a test runs. */
    data: () => data,
  }
}

/**
 * Creates a person without grants and a workspace without reports; `remove` deletes them.
 * @param mark part of every created name, unique per journey because journeys run in parallel
 */
const preparePermissions = async (portal: string, mark: string) => {
  const { call } = await signedInClient(portal, people.admin)
  // Excludes what parallel journeys create, because they delete it.
  const reports = (await call(grantsApi.listReports, { query: { ordem: 'nomeGrupo' } })).filter(
    ({ nomeGrupo, nomeRelatorio }) =>
      !/^Jornada|^Grupo sem conexão/.test(nomeGrupo) && !/^Jornada/.test(nomeRelatorio),
  )
  const [first] = reports
  if (!first) throw new Error('the demo has no report')
  const { idGrupoRelatorio: id, nomeGrupo: name } = first
  const { idPowerBi } = await call(workspacesApi.get, { params: { id } })
  const empty = await call(workspacesApi.create, {
    body: { nomeGrupo: `${mark} vazio`, idGrupo: crypto.randomUUID(), idPowerBi },
  })
  const person = await call(usersApi.create, {
    body: {
      nomeUsuario: `${mark} Bruno`,
      emailUsuario: `bruno.${crypto.randomUUID()}@empresa.exemplo`,
      senhaUsuario: 'Uma senha de jornada',
    },
  })
  const profiles = () => call(profilesApi.list, { query: { busca: mark } })
  const removeProfiles = async () => {
    for (const { idPerfil } of await profiles()) await call(profilesApi.remove, { params: { id: idPerfil } })
  }

  return {
    call,
    reports,
    /** The first workspace of the demo. */
    group: { id, name, reports: reports.filter(({ idGrupoRelatorio }) => idGrupoRelatorio === id) },
    empty,
    person,
    /** Grants a person exactly these reports. */
    grant: async (idRelatorios: number[], idUsuario = person.idUsuario): Promise<void> => {
      await call(grantsApi.replace, { params: { idUsuario }, body: { idRelatorios } })
    },
    granted: async (idUsuario = person.idUsuario): Promise<number[]> =>
      sorted((await call(grantsApi.listOfUser, { params: { idUsuario } })).map((one) => one.idRelatorio)),
    profiles,
    createProfile: async (name: string, idRelatorios: number[], adicionar: number[]): Promise<Profile> => {
      const { idPerfil } = await call(profilesApi.create, { body: { nomePerfil: `${mark} ${name}` } })
      const params = { id: idPerfil }
      await call(profilesApi.replaceReports, { params, body: { idRelatorios } })
      return call(profilesApi.changeMembers, { params, body: { adicionar } })
    },
    removeProfiles,
    remove: async (): Promise<void> => {
      await removeProfiles()
      await call(workspacesApi.remove, { params: { id: empty.idGrupoRelatorio } })
      await call(usersApi.remove, { params: { id: person.idUsuario } })
    },
  }
}

type PermissionData = Awaited<ReturnType<typeof preparePermissions>>

export const idsOf = (choices: ReportChoice[]): number[] => sorted(choices.map((one) => one.idRelatorio))

const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b)
