import { NotificationKind } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createRequest } from '../test/access/access-requests.ts'
import { createKey } from '../test/accounts/api-keys.ts'
import { createCapacity } from '../test/connections/capacities.ts'
import { createAlert } from '../test/distribution/alerts.ts'
import { createAnnouncement } from '../test/distribution/announcements.ts'
import { createRun, createSubscription } from '../test/distribution/subscriptions.ts'
import { moveClockTo } from '../test/let-time-pass.ts'
import { createComment } from '../test/reports/comments.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../test/reports.ts'
import { useTestApp } from '../test/use-test-app.ts'
import { createUser } from '../test/users.ts'
import { notifyOfEnds } from './access/grants/expiry-notices.job.ts'
import { notifyGranted } from './access/grants/notify-granted.ts'
import { notifyAdmins } from './access/requests/notify-of-requests.ts'
import { notifyExpiringKeys } from './accounts/api-keys/expiring-keys.ts'
import { notifyPasswordChanged } from './accounts/credentials/notify-owner.ts'
import { notifySecondFactorChanged } from './accounts/credentials/notify-second-factor.ts'
import { notifySurplusEnded } from './accounts/sessions/session-limit.ts'
import { accountWaiting } from './accounts/users/account-waiting.ts'
import { notifyHealthAccess } from './accounts/users/notify-health-access.ts'
import { notifyCapacityFailure } from './connections/capacities/notify-capacity.ts'
import { notifyConnectionFailing } from './connections/connections/notify-connection-failing.ts'
import { failAlert } from './distribution/alerts/finish-evaluation.ts'
import { announce, withdrawFromBell } from './distribution/announcements/announcements.ts'
import { notifyRecipients } from './distribution/subscriptions/recipients/notify-recipients.ts'
import { closeRuns } from './distribution/subscriptions/runs/close-runs.ts'
import { notifyFailure } from './operations/backup/runs/run-backup.ts'
import { notifySecrets } from './operations/system-status/notify-secrets.ts'
import { Problem } from './platform/lib/problem.ts'
import { notify, takeBack } from './platform/notifications/notify.ts'
import { runSchedule } from './publishing/run-schedule.ts'
import { claimOrderedRun, deleteSchedule, findSchedule } from './publishing/schedules.repository.ts'
import { notifyMentioned } from './reports/comments/comment-notices.ts'

const app = useTestApp()

const day = 24 * 3_600_000
const failNever = { error: (problem: unknown) => expect.fail(String(problem)) }

/** An ADMIN who acts, another one, one who is blocked, a data protection officer and a reader of the report. */
const people = async () => ({
  author: await createUser(app, { nomeUsuario: 'author', tipoUsuario: 'ADMIN' }),
  admin: await createUser(app, { nomeUsuario: 'admin', tipoUsuario: 'ADMIN' }),
  blocked: await createUser(app, { nomeUsuario: 'blocked', tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' }),
  officer: await createUser(app, { nomeUsuario: 'officer', encarregadoDados: true }),
  reader: await createUser(app, { nomeUsuario: 'reader', venceEm: inDays(60) }),
})
const inDays = (days: number) => new Date(app.services.now().getTime() + days * day)

type Place = Awaited<ReturnType<typeof makePlace>>
const makePlace = async () => {
  const connection = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi: connection.idPowerBi })
  const report = await createReport(app, { idGrupoRelatorio })
  const all = await people()
  await grantReport(app, all.reader.idUsuario, report.idRelatorio)
  return { ...all, connection, report }
}
let at: Place
beforeEach(async () => {
  at = await makePlace()
})

interface Told {
  tell: () => Promise<unknown>
  /** What removes the cause. */
  end?: () => Promise<unknown>
}

interface Case {
  name: string
  /** The people told, by kind. */
  told: Partial<Record<NotificationKind, string[]>>
  /** E-mails queued the first time. */
  mails?: number
  /** Whether it is told again after it was read. */
  again: boolean
  /** It is an act: nothing takes it back. */
  stays?: true
  make: () => Told | Promise<Told>
}

const admins = ['admin', 'author']
const now = () => app.services.now()
const remove = (table: 'relatorio' | 'powerbi' | 'usuario', key: string, id: number) =>
  app.db
    .deleteFrom(table)
    .where(key as 'idRelatorio', '=', id)
    .execute()

const cases: Case[] = [
  {
    name: 'a granted report',
    told: { permissao_liberada: ['reader'] },
    again: true,
    stays: true,
    make: () => ({
      tell: () => {
        const told = [at.reader, at.admin].map(({ idUsuario }) => idUsuario)
        return notifyGranted(app.db, { people: told, reports: [at.report.idRelatorio] }, now())
      },
    }),
  },
  {
    name: 'an account that waits',
    told: { conta_aguardando: admins },
    again: true,
    make: async () => {
      const account = await createUser(app, { situacao: 'PENDENTE' })
      return {
        tell: () => notify(app.db, accountWaiting(account), now()),
        end: () => remove('usuario', 'idUsuario', account.idUsuario),
      }
    },
  },
  {
    name: 'a connection that fails',
    told: { conexao_falhando: admins },
    again: true,
    make: async () => {
      const { idPowerBi } = await createConnection(app)
      const failing = { idPowerBi, nomeConexao: 'C', nomeRelatorio: 'R' }
      return {
        tell: () => notifyConnectionFailing(app.db, new Problem('bi_sem_acesso'), failing, now()),
        end: () => remove('powerbi', 'idPowerBi', idPowerBi),
      }
    },
  },
  {
    name: 'a changed password',
    told: { senha_alterada: ['reader'] },
    mails: 1,
    again: true,
    stays: true,
    make: () => ({ tell: () => notifyPasswordChanged(app.db, app.services, at.reader) }),
  },
  {
    name: 'a second factor that an ADMIN resets',
    told: { segundo_fator_alterado: ['officer'], seguranca_alterada: ['admin'] },
    mails: 1,
    again: true,
    stays: true,
    make: () => ({
      tell: () => {
        const change = { mudanca: 'redefinido', por: 'author' } as const
        const { officer, author } = at
        return notifySecondFactorChanged(app.db, app.services, officer.idUsuario, change, author.idUsuario)
      },
    }),
  },
  {
    name: 'surplus sessions',
    told: { sessoes_encerradas: ['reader'] },
    again: true,
    stays: true,
    make: () => ({
      tell: () => {
        const request = { ip: '127.0.0.1', headers: {} } as never
        const ended = { idUsuario: at.reader.idUsuario, sessoesEncerradas: 1, now: now(), request }
        return notifySurplusEnded(app.db, app.services, ended)
      },
    }),
  },
  {
    name: 'an API key that expires soon',
    told: { chave_api_alterada: ['reader'] },
    again: false,
    make: async () => {
      const { idChave } = await createKey(app, at.reader, { criadaEm: inDays(-9), expiraEm: inDays(5) })
      return {
        tell: () => notifyExpiringKeys(app.db, now()),
        end: () => app.db.deleteFrom('chaveApi').where('idChave', '=', idChave).execute(),
      }
    },
  },
  {
    name: 'access to health data',
    told: { acesso_saude_alterado: ['admin', 'officer', 'reader'] },
    again: true,
    stays: true,
    make: () => ({
      tell: () => {
        const before = { ...at.reader, acessoProntuario: false, encarregadoDados: false }
        const by = { name: 'author', idUsuario: at.author.idUsuario }
        return notifyHealthAccess(app.db, { before, after: { ...before, acessoProntuario: true }, by }, now())
      },
    }),
  },
  {
    name: 'a capacity that does not start',
    told: { sistema_com_problema: admins },
    again: false,
    make: async () => {
      const { idCapacidade } = await createCapacity(app, { idPowerBi: at.connection.idPowerBi })
      const capacity = { idCapacidade, nomeCapacidade: 'C' } as Parameters<typeof notifyCapacityFailure>[1]
      const failure = { acao: 'INICIAR', motivo: 'm' } as const
      return {
        tell: () => notifyCapacityFailure(app.db, capacity, failure, now()),
        end: () => app.db.deleteFrom('capacidade').where('idCapacidade', '=', idCapacidade).execute(),
      }
    },
  },
  {
    name: 'a secret that expires soon',
    told: { sistema_com_problema: admins },
    mails: 2,
    again: false,
    make: async () => {
      const { idPowerBi } = await createConnection(app)
      const source = `powerbi:${idPowerBi}`
      const secret = {
        name: 'S',
        kind: 'secret',
        source,
        place: '',
        path: '/',
        expiresAt: inDays(5),
      } as const
      return {
        tell: () => notifySecrets(app.services, [secret]),
        end: () => remove('powerbi', 'idPowerBi', idPowerBi),
      }
    },
  },
  {
    name: 'a schedule of data that fails',
    told: { sistema_com_problema: admins },
    again: false,
    make: async () => {
      const reportId = crypto.randomUUID()
      await app.db
        .insertInto('agendaDados')
        .values({
          reportId,
          tabela: 't',
          origem: 'PASTA',
          endereco: app.services.secrets.encrypt('a.csv'),
          frequencia: 'DIA',
          horario: '07:00',
          ativa: true,
          proximaEm: inDays(1),
        })
        .execute()
      return {
        tell: async () => {
          const row = await findSchedule(app.db, reportId)
          const run = row && (await claimOrderedRun(app.db, row, 60_000))
          if (run) await runSchedule(app.services, run, failNever)
        },
        end: () => deleteSchedule(app.db, reportId),
      }
    },
  },
  {
    name: 'a backup that fails',
    told: { copia_falhou: admins },
    again: true,
    make: () => ({
      tell: () => notifyFailure(app.services, 'O disco está cheio.'),
      end: () => takeBack(app.db, 'copia'),
    }),
  },
  {
    name: 'an announcement',
    told: { aviso: ['admin', 'author', 'officer', 'reader'] },
    again: false,
    make: async () => {
      const { idAviso } = await createAnnouncement(app, { forma: 'SINO' })
      return { tell: () => announce(app.db, now()), end: () => withdrawFromBell(app.db, idAviso) }
    },
  },
  {
    name: 'an account that ends soon',
    told: { acesso_vence: ['admin', 'author', 'officer'] },
    mails: 1,
    again: false,
    stays: true,
    make: async () => {
      const { idUsuario } = at.officer
      await app.db
        .updateTable('usuario')
        .set({ venceEm: new Date(Date.now() + 5 * day) })
        .where('idUsuario', '=', idUsuario)
        .execute()
      return { tell: () => notifyOfEnds(app.db, app.services) }
    },
  },
  {
    name: 'a request for access',
    told: { pedido_acesso: ['admin'] },
    again: true,
    make: async () => {
      const idPedido = await createRequest(app, at.author, at.report)
      return {
        tell: () => notifyAdmins(app.db, { ...at.author, open: 1 }, now()),
        end: () => app.db.deleteFrom('pedidoAcesso').where('idPedido', '=', idPedido).execute(),
      }
    },
  },
  {
    name: 'a new recipient of a subscription',
    told: { assinatura: ['admin', 'reader'] },
    again: true,
    stays: true,
    make: () => ({
      tell: () => {
        const told = Object.values([at.author, at.admin, at.blocked, at.officer, at.reader])
        const { author, report } = at
        const about = { ...report, ...author, assunto: 'Custos' }
        return notifyRecipients(
          app.db,
          told.map(({ idUsuario }) => idUsuario),
          about,
          now(),
        )
      },
    }),
  },
  {
    name: 'a subscription that reaches nobody',
    told: { assinatura: ['reader'] },
    again: false,
    make: async () => {
      const { idRelatorio } = at.report
      const { idAssinatura } = await createSubscription(app, { idRelatorio, idDono: at.reader.idUsuario }, [])
      return {
        tell: async () => {
          await createRun(app, { idAssinatura, preparadaEm: now() })
          await closeRuns(app.services)
        },
        end: () => remove('relatorio', 'idRelatorio', idRelatorio),
      }
    },
  },
  {
    name: 'a mention in a comment',
    told: { comentario: ['reader'] },
    mails: 1,
    again: true,
    make: async () => {
      const { report, author, reader, blocked, officer } = at
      const comment = await createComment(app, {
        idUsuario: author.idUsuario,
        idRelatorio: report.idRelatorio,
      })
      const { idComentario } = comment
      const place = { idConversa: idComentario, report: { id: report.idRelatorio, nomeRelatorio: 'R' } }
      const written = { ...place, tituloPagina: '', idComentario, writer: author }
      const told = [author, reader, blocked, officer].map(({ idUsuario }) => idUsuario)
      return {
        tell: () => notifyMentioned(app.db, app.services, written, told),
        end: () => remove('relatorio', 'idRelatorio', report.idRelatorio),
      }
    },
  },
  {
    name: 'an alert that fails',
    told: { alerta: ['reader'] },
    again: false,
    make: async () => {
      const { idRelatorio } = at.report
      const { idAlerta } = await createAlert(app, { idRelatorio, idDono: at.reader.idUsuario })
      return {
        tell: async () => {
          const ocupadoAte = inDays(1)
          await app.db.updateTable('alerta').set({ ocupadoAte }).where('idAlerta', '=', idAlerta).execute()
          const claim = { row: { idAlerta }, ocupadoAte } as Parameters<typeof failAlert>[1]
          await failAlert(app.services, claim, { frase: 'Falhou.', mayPass: false })
        },
        end: () => remove('relatorio', 'idRelatorio', idRelatorio),
      }
    },
  },
]

/** Returns the names of those with an unread notification, by kind. */
const unread = async () => {
  const rows = await app.db
    .selectFrom('notificacao')
    .innerJoin('usuario', 'usuario.idUsuario', 'notificacao.idUsuario')
    .select(['tipo', 'nomeUsuario'])
    .where('lidaEm', 'is', null)
    .orderBy('nomeUsuario')
    .execute()
  const kinds = Map.groupBy(rows, ({ tipo }) => tipo)
  return Object.fromEntries([...kinds].map(([kind, told]) => [kind, told.map((one) => one.nomeUsuario)]))
}
const readAll = () => app.db.updateTable('notificacao').set({ lidaEm: now() }).execute()
const queued = async () => (await app.db.selectFrom('mensagem').select('idMensagem').execute()).length

describe('what people are told', () => {
  test.each(cases)(
    '$name is told to those concerned, and not to its author or a blocked account',
    async (one) => {
      const { tell } = await one.make()
      await tell()
      expect(await unread()).toEqual(one.told)
      expect(await queued()).toBe(one.mails ?? 0)
    },
  )

  test.each(cases)(
    '$name is told once while it is unread, and after reading only where it is not the same occurrence',
    async (one) => {
      const { tell } = await one.make()
      await tell()
      await tell()
      expect(await unread()).toEqual(one.told)
      await readAll()
      await moveClockTo(app, app.clock.offsetMs + 61_000)
      await tell()
      expect(await unread()).toEqual(one.again ? one.told : {})
    },
  )

  test('the cases have each kind of notification', () => {
    const kinds = cases.flatMap(({ told }) => Object.keys(told))
    expect([...new Set(kinds)].toSorted()).toEqual(NotificationKind.options.toSorted())
  })

  const ending = cases.filter(({ stays }) => !stays)
  test.each(ending)(
    '$name is taken back when its cause is gone, from a person who is no longer an ADMIN too',
    async (one) => {
      const { tell, end } = await one.make()
      await tell()
      await app.db
        .updateTable('usuario')
        .set({ tipoUsuario: 'USER' })
        .where('nomeUsuario', '=', 'admin')
        .execute()
      await end?.()
      expect(await unread()).toEqual({})
      expect(await app.db.selectFrom('avisoSistema').selectAll().execute()).toEqual([])
    },
  )
})
