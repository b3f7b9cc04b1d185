import { guestVisitsApi, VISIT_HOURS, VISIT_LINK_MINUTES } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bookAttempt, isWithinLimits, mailboxOf } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { isAddressAllowed } from '../../platform/lib/networks.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { HAND_OVER_MS } from '../../platform/mail/link-life.ts'
import { createMailProbe } from '../../platform/mail/probe-mail-server.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { markOfVisit } from './guest-visits.ts'
import { visitLinkMail } from './guests.mail.ts'
import { endVisits, holdGuestSettings, readGuestSettings } from './guests.repository.ts'
import { subjectOf } from './guests.routes.ts'
import { fromGuests, mayVisit } from './guests.ts'
import {
  guestOfInvitation,
  markOfLink,
  newLinkToken,
  newVisitCredential,
  visitAddress,
} from './invitation.ts'

/** Links to one e-mail address in 15 minutes, of all its invitations together. */
const linksAtMost = 5

/** The calls of a guest, who has no account and no password: a link by e-mail proves who they are. */
export const guestVisitsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now, writeAudit } = services
  const probe = createMailProbe(services)

  const assertNetwork = async ({ ip }: FastifyRequest): Promise<void> => {
    const { redes } = await readGuestSettings(db)
    if (!isAddressAllowed(redes, ip)) throw new Problem('rede_de_convidado')
  }

  serve(app, guestVisitsApi.askLink, async ({ body: { convite } }, { request }) => {
    await assertNetwork(request)
    const limit = config.signInFailures.perAddress
    await bookAttempt(db, [{ key: secrets.digest(`visita-rede:${networkOf(request.ip)}`), limit }], now())
    probe(request.log)
    const idConvidado = guestOfInvitation(secrets, convite)
    const email = idConvidado === undefined ? undefined : await findEmail(db, idConvidado)
    if (idConvidado === undefined || email === undefined) return linkAsked
    // Someone may be flooding the mailbox: its owner gets no error, and the links sent are valid.
    const ofEmail = { key: secrets.digest(`visita-convidado:${mailboxOf(email)}`), limit: linksAtMost }
    if (!(await isWithinLimits(db, [ofEmail], now()))) return linkAsked
    await inTransaction(db, async (tx) => {
      const guest = await lockGuest(tx, idConvidado)
      if (!guest) return
      if (guest.podeVisitar) await sendLink(tx, guest)
      const details = { enviado: guest.podeVisitar }
      const event = { action: 'guest.link-asked', idUsuario: null, details, request } as const
      await writeAudit(tx, { ...event, subject: subjectOf(idConvidado) })
    })
    return linkAsked
  })

  const sendLink = async (tx: Db, { idConvidado, emailConvidado, nomeRelatorio }: LockedGuest) => {
    const token = newLinkToken()
    const criadoEm = now()
    const expiraEm = new Date(criadoEm.getTime() + HAND_OVER_MS)
    const marca = markOfLink(secrets, token)
    await tx.insertInto('convidadoLink').values({ marca, idConvidado, criadoEm, expiraEm }).execute()
    const link = visitAddress(config, secrets, { idConvidado, token })
    const minutos = VISIT_LINK_MINUTES
    const mail = { nome: '', relatorio: nomeRelatorio, link, minutos }
    const vidaDoLink = { tabela: 'convidadoLink', marca, minutos } as const
    await queueMail(tx, services, visitLinkMail, { para: emailConvidado, mail, vidaDoLink })
  }

  // Programs that read e-mails open their addresses, but send no form: opening the page uses nothing.
  serve(app, guestVisitsApi.open, async ({ body: { token } }, { request }) => {
    await assertNetwork(request)
    const credencial = newVisitCredential()
    const expiraEm = await inTransaction(db, async (tx) => {
      await holdGuestSettings(tx)
      const iniciadaEm = now()
      // Of two concurrent calls with the same link, one gets it.
      const used = await tx
        .deleteFrom('convidadoLink')
        .where('marca', '=', markOfLink(secrets, token))
        .where('expiraEm', '>', iniciadaEm)
        .returning('idConvidado')
        .executeTakeFirst()
      const guest = used && (await lockGuest(tx, used.idConvidado))
      if (!guest?.podeVisitar) throw new Problem('link_invalido')
      const { idConvidado, venceEm } = guest
      const latest = iniciadaEm.getTime() + VISIT_HOURS * 3_600_000
      const visit = {
        idConvidado,
        marca: markOfVisit(secrets, credencial),
        iniciadaEm,
        expiraEm: new Date(Math.min(latest, venceEm.getTime())),
      }
      // One visit at a time: this ends one that was left open on another device.
      await endVisits(tx, [idConvidado])
      await tx.insertInto('convidadoVisita').values(visit).execute()
      await tx
        .updateTable('convidado')
        .set({ ultimaVisita: iniciadaEm })
        .where('idConvidado', '=', idConvidado)
        .execute()
      const dispositivo = request.headers['user-agent']?.slice(0, 300) ?? null
      await writeAudit(tx, {
        action: 'guest.visit-opened',
        idUsuario: null,
        subject: subjectOf(idConvidado),
        details: { dispositivo, expiraEm: visit.expiraEm },
        request,
      })
      return visit.expiraEm
    })
    return { credencial, expiraEm: expiraEm.toISOString() }
  })

  serve(app, guestVisitsApi.get, (_, { request }) => {
    const { nomeRelatorio, emailConvidado, expiraEm } = orNotFound(request.guest)
    return { nomeRelatorio, emailConvidado, expiraEm: expiraEm.toISOString() }
  })

  serve(app, guestVisitsApi.leave, (_, { request }) => {
    const { idConvidado } = orNotFound(request.guest)
    return inTransaction(db, async (tx) => {
      await endVisits(tx, [idConvidado])
      const event = { action: 'guest.visit-ended', idUsuario: null, request } as const
      await writeAudit(tx, { ...event, subject: subjectOf(idConvidado) })
    })
  })
}

const findEmail = async (db: Db, idConvidado: number): Promise<string | undefined> => {
  const guests = db.selectFrom('convidado').select('emailConvidado').where('idConvidado', '=', idConvidado)
  return (await guests.executeTakeFirst())?.emailConvidado
}

/** Locks a guest until the transaction ends, as a revocation does. */
const lockGuest = async (tx: Db, idConvidado: number) => {
  await tx
    .selectFrom('convidado')
    .select('idConvidado')
    .where('idConvidado', '=', idConvidado)
    .forNoKeyUpdate()
    .execute()
  // A separate statement, so that its snapshot is taken after the wait for the lock.
  return fromGuests(tx)
    .select(['convidado.idConvidado', 'emailConvidado', 'nomeRelatorio', 'convidado.venceEm'])
    .select(mayVisit.as('podeVisitar'))
    .where('convidado.idConvidado', '=', idConvidado)
    .executeTakeFirst()
}

type LockedGuest = NonNullable<Awaited<ReturnType<typeof lockGuest>>>

const linkAsked = {
  mensagem: `Se este convite ainda vale, enviamos um link ao e-mail convidado. Ele vale por ${VISIT_LINK_MINUTES} minutos e uma só vez.`,
}
