import fc from 'fast-check'
import { expect } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../reports.ts'
import { startProvider } from '../stand-ins/provider-stand-in.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

/* Menu, embed call and explainer each state who may see which report. They must always agree. */

const people = 3
const reportsPerGroup = 2
const groups = 2
const profiles = 2

const person = fc.nat(people - 1)
const report = fc.nat(groups * reportsPerGroup - 1)
const profile = fc.nat(profiles - 1)
const set = fc.uniqueArray(report)

const command = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), person, report }),
  fc.record({ do: fc.constant('revokeAll' as const), person }),
  fc.record({ do: fc.constant('replace' as const), person, set }),
  fc.record({ do: fc.constant('replaceInGroup' as const), person, group: fc.nat(groups - 1), set }),
  fc.record({ do: fc.constant('profileReports' as const), profile, set }),
  fc.record({ do: fc.constant('join' as const), profile, person }),
  fc.record({ do: fc.constant('leave' as const), profile, person }),
  fc.record({ do: fc.constant('deleteProfile' as const), profile }),
  fc.record({ do: fc.constant('deleteReport' as const), report }),
  fc.record({ do: fc.constant('grantUntil' as const), person, report }),
  fc.record({ do: fc.constant('daysPass' as const) }),
  fc.record({ do: fc.constant('promote' as const), person, admin: fc.boolean() }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

type Session = Awaited<ReturnType<TestApp['as']>>

/** Makes random changes of grants and profiles through the API, and checks each against a model. */
export const checkAgreement = async ({ runs, length }: { runs: number; length: number }): Promise<void> => {
  const provider = await startProvider()
  const { origin } = provider
  const app = await startTestApp({
    POWERBI_AUTHORITY_URL: origin,
    POWERBI_API_URL: origin,
    POWERBI_EMBED_URL: origin,
    RATE_LIMIT_PER_MINUTE: '1000000',
  })
  try {
    const commands = fc.array(command, { minLength: 1, maxLength: length, size: 'max' })
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const world = await createWorld(app)
        for (const step of sequence) {
          await world.perform(step)
          await world.compare(step)
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  } finally {
    await app.close()
    await provider.close()
  }
}

const createWorld = async (app: TestApp) => {
  await app.reset()
  const root = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { idPowerBi } = await createConnection(app)
  const reports: { id: number; group: number; address: { groupId: string; reportId: string } }[] = []
  const groupIds: number[] = []
  for (let group = 0; group < groups; group += 1) {
    const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, { idPowerBi })
    groupIds.push(idGrupoRelatorio)
    for (let n = 0; n < reportsPerGroup; n += 1) {
      const { idRelatorio, reportId } = await createReport(app, { idGrupoRelatorio })
      reports.push({ id: idRelatorio, group, address: { groupId: idGrupo, reportId } })
    }
  }
  const users = await Promise.all(Array.from({ length: people }, () => createUser(app)))
  let sessions: Session[] = await Promise.all(users.map((user) => app.as(user)))
  const profileIds: (number | undefined)[] = []
  for (let n = 0; n < profiles; n += 1) {
    profileIds.push((await root.post('/perfis', { nomePerfil: `Perfil ${n}` })).body.idPerfil)
  }

  const model = {
    admins: new Set<number>(),
    grants: users.map(() => new Set<number>()),
    /** Grants with an end, which `daysPass` reaches. */
    dated: users.map(() => new Set<number>()),
    ended: users.map(() => new Set<number>()),
    profiles: profileIds.map(() => ({ reports: new Set<number>(), members: new Set<number>() })),
    gone: new Set<number>(),
  }
  const idsOf = (set: number[]) => set.filter((n) => !model.gone.has(n)).map((n) => at(reports, n).id)
  const userId = (n: number) => at(users, n).idUsuario
  const ok = ({ status }: { status: number }) => expect([200, 201, 204]).toContain(status)

  const perform = async (step: Command): Promise<void> => {
    switch (step.do) {
      case 'grant': {
        if (model.gone.has(step.report)) return
        const body = { idUsuario: userId(step.person), idRelatorio: at(reports, step.report).id }
        ok(await root.post('/usuarios/relatorio-usuario', body))
        at(model.grants, step.person).add(step.report)
        // A grant that has ended counts again, without an end; another one keeps its end.
        at(model.ended, step.person).delete(step.report)
        return
      }
      case 'grantUntil': {
        if (model.gone.has(step.report)) return
        const idRelatorio = at(reports, step.report).id
        const body = { idUsuario: userId(step.person), idRelatorio, validoAte: '2999-12-31' }
        ok(await root.post('/usuarios/relatorio-usuario', body))
        at(model.grants, step.person).add(step.report)
        at(model.dated, step.person).add(step.report)
        at(model.ended, step.person).delete(step.report)
        return
      }
      case 'daysPass':
        await app.db
          .updateTable('relatorioUsuario')
          .set({ venceEm: new Date(Date.now() - 1_000) })
          .where('venceEm', 'is not', null)
          .execute()
        for (const [n, dated] of model.dated.entries()) {
          for (const r of dated) at(model.ended, n).add(r)
          dated.clear()
        }
        return
      case 'revokeAll':
        ok(await root.del(`/usuarios/relatorio-usuario/${userId(step.person)}`))
        at(model.grants, step.person).clear()
        forgetEnds(step.person)
        return
      case 'replace': {
        const url = `/usuarios/relatorio-usuario/${userId(step.person)}`
        ok(await root.put(url, { idRelatorios: idsOf(step.set) }))
        model.grants[step.person] = new Set(step.set)
        forgetEnds(step.person)
        return
      }
      case 'replaceInGroup': {
        const inGroup = step.set.filter((n) => at(reports, n).group === step.group)
        ok(
          await root.put(`/usuarios/relatorio-usuario/${userId(step.person)}`, {
            idGrupoRelatorio: at(groupIds, step.group),
            idRelatorios: idsOf(inGroup),
          }),
        )
        const others = [...at(model.grants, step.person)].filter((n) => at(reports, n).group !== step.group)
        model.grants[step.person] = new Set([...others, ...inGroup])
        forgetEnds(step.person)
        return
      }
      case 'profileReports': {
        const id = profileIds[step.profile]
        if (!id) return
        ok(await root.put(`/perfis/${id}/relatorios`, { idRelatorios: idsOf(step.set) }))
        at(model.profiles, step.profile).reports = new Set(step.set)
        return
      }
      case 'join':
      case 'leave': {
        const id = profileIds[step.profile]
        if (!id) return
        const field = step.do === 'join' ? 'adicionar' : 'remover'
        ok(await root.put(`/perfis/${id}/membros`, { [field]: [userId(step.person)] }))
        const { members } = at(model.profiles, step.profile)
        if (step.do === 'join') members.add(step.person)
        else members.delete(step.person)
        return
      }
      case 'deleteProfile': {
        const id = profileIds[step.profile]
        if (!id) return
        ok(await root.del(`/perfis/${id}`))
        profileIds[step.profile] = undefined
        at(model.profiles, step.profile).members.clear()
        return
      }
      case 'deleteReport':
        if (model.gone.has(step.report)) return
        ok(await root.del(`/usuarios/relatorio/${at(reports, step.report).id}`))
        model.gone.add(step.report)
        return
      case 'promote': {
        const { body } = await root.get(`/usuarios/${userId(step.person)}`)
        const tipoUsuario = step.admin ? 'ADMIN' : 'USER'
        ok(await root.put(`/usuarios/${userId(step.person)}`, { ...body, tipoUsuario }))
        if (step.admin) model.admins.add(step.person)
        else model.admins.delete(step.person)
        // A change of role ends the user's sessions.
        sessions = await Promise.all(
          users.map((user, n) => (n === step.person ? app.as(user) : at(sessions, n))),
        )
      }
    }
  }

  /** Only the ends of grants that a person still has matter: a new grant has none. */
  const forgetEnds = (n: number): void => {
    for (const ends of [at(model.dated, n), at(model.ended, n)]) {
      for (const r of ends) if (!at(model.grants, n).has(r)) ends.delete(r)
    }
  }

  const maySee = (n: number, r: number): boolean =>
    !model.gone.has(r) &&
    (model.admins.has(n) ||
      (at(model.grants, n).has(r) && !at(model.ended, n).has(r)) ||
      model.profiles.some(({ reports: shown, members }) => members.has(n) && shown.has(r)))

  const compare = async (step: Command): Promise<void> => {
    for (let n = 0; n < people; n += 1) {
      const session = at(sessions, n)
      const { body: menu } = await session.get('/usuarios/menus')
      const listed = new Set<number>(
        menu.flatMap((entry: { relatorios: { idRelatorio: number }[] }) =>
          entry.relatorios.map(({ idRelatorio }) => idRelatorio),
        ),
      )
      await Promise.all(
        reports.map(async ({ id, address }, r) => {
          const [embed, explained] = await Promise.all([
            session.post('/usuarios/relatorio/embed', address),
            root.get(`/usuarios/${userId(n)}/acesso/${id}`),
          ])
          const told = {
            menu: listed.has(id),
            embed: embed.status === 200,
            explainer: explained.status === 200 && explained.body.pode,
          }
          const expected = maySee(n, r)
          expect(told, `person ${n}, report ${r}, after ${JSON.stringify(step)}`).toEqual({
            menu: expected,
            embed: expected,
            explainer: expected,
          })
        }),
      )
    }
  }
  return { perform, compare }
}

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}
