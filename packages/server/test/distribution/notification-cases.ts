import type { NotificationKind } from '@bi-manager/contract'
import { expect } from 'vitest'
import { notifyOfEnds } from '../../src/access/grants/expiry-notices.job.ts'
import { notifyGranted } from '../../src/access/grants/notify-granted.ts'
import { notifyAdmins } from '../../src/access/requests/notify-of-requests.ts'
import { notifyExpiringKeys } from '../../src/accounts/api-keys/expiring-keys.ts'
import { notifyPasswordChanged } from '../../src/accounts/credentials/notify-owner.ts'
import { notifySecondFactorChanged } from '../../src/accounts/credentials/notify-second-factor.ts'
import { notifySurplusEnded } from '../../src/accounts/sessions/session-limit.ts'
import { accountWaiting } from '../../src/accounts/users/account-waiting.ts'
import { notifyHealthAccess } from '../../src/accounts/users/notify-health-access.ts'
import { notifyCapacityFailure } from '../../src/connections/capacities/notify-capacity.ts'
import { notifyConnectionFailing } from '../../src/connections/connections/notify-connection-failing.ts'
import { claimAlerts } from '../../src/distribution/alerts/alert-queue.ts'
import { failAlert } from '../../src/distribution/alerts/finish-evaluation.ts'
import { announce, withdrawFromBell } from '../../src/distribution/announcements/announcements.ts'
import { notifyRecipients } from '../../src/distribution/subscriptions/recipients/notify-recipients.ts'
import { closeRuns } from '../../src/distribution/subscriptions/runs/close-runs.ts'
import { notifyFailure } from '../../src/operations/backup/runs/run-backup.ts'
import { notifySecrets } from '../../src/operations/system-status/notify-secrets.ts'
import { Problem } from '../../src/platform/lib/problem.ts'
import { notify, takeBack } from '../../src/platform/notifications/notify.ts'
import { runSchedule } from '../../src/publishing/run-schedule.ts'
import { claimOrderedRun, deleteSchedule, findSchedule } from '../../src/publishing/schedules.repository.ts'
import { notifyMentioned } from '../../src/reports/comments/comment-notices.ts'
import { createRequest } from '../access/access-requests.ts'
import { createKey } from '../accounts/api-keys.ts'
import { createCapacity } from '../connections/capacities.ts'
import { createAlert } from '../distribution/alerts.ts'
import { createAnnouncement } from '../distribution/announcements.ts'
import type { createNotifiedPeople } from '../distribution/notified-people.ts'
import { createRun, createSubscription } from '../distribution/subscriptions.ts'
import { createComment } from '../reports/comments.ts'
import { createConnection } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

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
  /** Whether people are notified of it again after they have read it. */
  again: boolean
  /** It is an act: nothing takes it back. */
  stays?: true
  make: () => Told | Promise<Told>
}

export type NotifiedPeople = Awaited<ReturnType<typeof createNotifiedPeople>>

/** Returns a case of each kind of notification. @param at the people of the running test */
export const notificationCases = (app: TestApp, at: () => NotifiedPeople): Case[] => {
  const day = 24 * 3_600_000
  const failNever = { error: (problem: unknown) => expect.fail(String(problem)) }

  const inDays = (days: number) => new Date(app.services.now().getTime() + days * day)

  const admins = ['admin', 'author']
  const now = () => app.services.now()
  const remove = (table: 'relatorio' | 'powerbi' | 'usuario', key: string, id: number) =>
    app.db
      .deleteFrom(table)
      .where(key as 'idRelatorio', '=', id)
      .execute()
  return [
    {
      name: 'a granted report',
      told: { permissao_liberada: ['reader'] },
      again: true,
      stays: true,
      make: () => ({
        tell: () => {
          const told = [at().reader, at().admin].map(({ idUsuario }) => idUsuario)
          return notifyGranted(app.db, { people: told, reports: [at().report.idRelatorio] }, now())
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
      make: () => ({ tell: () => notifyPasswordChanged(app.db, app.services, at().reader) }),
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
          const { officer, author } = at()
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
          const ended = { idUsuario: at().reader.idUsuario, sessoesEncerradas: 1, now: now(), request }
          return notifySurplusEnded(app.db, app.services, ended)
        },
      }),
    },
    {
      name: 'an API key that expires soon',
      told: { chave_api_alterada: ['reader'] },
      again: false,
      make: async () => {
        const { idChave } = await createKey(app, at().reader, { criadaEm: inDays(-9), expiraEm: inDays(5) })
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
          const before = { ...at().reader, acessoProntuario: false, encarregadoDados: false }
          const by = { name: 'author', idUsuario: at().author.idUsuario }
          return notifyHealthAccess(
            app.db,
            { before, after: { ...before, acessoProntuario: true }, by },
            now(),
          )
        },
      }),
    },
    {
      name: 'a capacity that does not start',
      told: { sistema_com_problema: admins },
      again: false,
      make: async () => {
        const { idCapacidade } = await createCapacity(app, { idPowerBi: at().connection.idPowerBi })
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
        const { idUsuario } = at().officer
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
        const idPedido = await createRequest(app, at().author, at().report)
        return {
          tell: () => notifyAdmins(app.db, { ...at().author, open: 1 }, now()),
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
          const told = Object.values([at().author, at().admin, at().blocked, at().officer, at().reader])
          const { author, report } = at()
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
        const { idRelatorio } = at().report
        const { idAssinatura } = await createSubscription(
          app,
          { idRelatorio, idDono: at().reader.idUsuario },
          [],
        )
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
        const { report, author, reader, blocked, officer } = at()
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
        const { idRelatorio } = at().report
        const { idAlerta } = await createAlert(app, { idRelatorio, idDono: at().reader.idUsuario })
        return {
          tell: async () => {
            const alert = app.db.updateTable('alerta').where('idAlerta', '=', idAlerta)
            await alert.set({ proximaEm: inDays(-1) }).execute()
            for (const claim of await claimAlerts(app.db))
              await failAlert(app.services, { claim }, { frase: 'Falhou.', mayPass: false })
          },
          end: () => remove('relatorio', 'idRelatorio', idRelatorio),
        }
      },
    },
  ]
}
