import { beforeEach, describe, expect, test } from 'vitest'
import { mailsOf } from '../../../test/mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { smtpSender } from '../../../test/stand-ins/smtp-sender.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()
type Person = Awaited<ReturnType<typeof createUser>>
type Session = Awaited<ReturnType<TestApp['as']>>

let idRelatorio: number
let address: string
let ana: Person
let bia: Person
let asAna: Session
let asBia: Session

beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  idRelatorio = (await createReport(app, { idGrupoRelatorio, nomeRelatorio: 'Custos' })).idRelatorio
  address = `/usuarios/relatorio/${idRelatorio}/comentarios`
  ana = await createUser(app, { nomeUsuario: 'Ana Souza' })
  bia = await createUser(app, { nomeUsuario: 'Bia Lima' })
  for (const { idUsuario } of [ana, bia]) await grantReport(app, idUsuario, idRelatorio)
  ;[asAna, asBia] = [await app.as(ana), await app.as(bia)]
})

const say = async (texto: string, more: object = {}, session = asAna): Promise<number> => {
  const { status, body } = await session.post(address, { texto, ...more })
  expect(status).toBe(201)
  return body.idComentario
}
const bellOf = async (session: Session) => {
  const { body } = await session.get('/notificacoes')
  const { body: summary } = await session.get('/notificacoes/resumo')
  const unread = body.filter(({ lidaEm }: { lidaEm: string | null }) => lidaEm === null)
  expect(summary.naoLidas).toBe(unread.length)
  return body.map(({ titulo }: { titulo: string }) => titulo)
}
const at = ({ idUsuario }: { idUsuario: number }) => `@{${idUsuario}}`
const mentioned = 'Ana Souza mencionou você em um comentário'

test('the list of people has the active readers of the report only, by name, without the caller', async () => {
  await createUser(app, { nomeUsuario: 'Beatriz Sem Acesso' })
  const blocked = await createUser(app, { nomeUsuario: 'Beto Bloqueado', situacao: 'BLOQUEADO' })
  const member = await createUser(app, { nomeUsuario: 'Bete Perfil' })
  await createUser(app, { nomeUsuario: 'Bento Admin', tipoUsuario: 'ADMIN' })
  await grantReport(app, blocked.idUsuario, idRelatorio)
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'P' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
  await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: member.idUsuario }).execute()
  const names = async (busca: string) =>
    (await asAna.get(`${address}/pessoas?busca=${busca}`)).body.map(({ nome }: { nome: string }) => nome)
  expect(await names('')).toEqual(['Bento Admin', 'Bete Perfil', 'Bia Lima'])
  expect(await names('BIÁ')).toEqual(['Bia Lima'])
  expect((await asAna.get(`${address}/pessoas`)).body[2]).toEqual({
    idUsuario: bia.idUsuario,
    nome: 'Bia Lima',
  })
  for (let n = 0; n < 10; n += 1) {
    const { idUsuario } = await createUser(app, { nomeUsuario: `Zeca ${n}` })
    await grantReport(app, idUsuario, idRelatorio)
  }
  expect(await names('zeca')).toHaveLength(8)
})

describe('a mention', () => {
  test('a mention tells the person by bell and e-mail, with a link and without the text', async () => {
    const id = await say(`Segredo para ${at(bia)} e ${at(ana)}`)
    const [notification] = (await asBia.get('/notificacoes')).body
    expect(notification).toMatchObject({
      tipo: 'comentario',
      titulo: mentioned,
      texto: 'No relatório “Custos”.',
      rota: `/comentario/${id}`,
    })
    expect(await bellOf(asAna)).toEqual([])
    const mails = await mailsOf(app)
    expect(mails).toMatchObject([
      {
        para: bia.emailUsuario,
        mail: { modelo: 'mencao', por: 'Ana Souza', relatorio: 'Custos' },
      },
    ])
    expect(JSON.stringify(mails)).not.toContain('Segredo')
    expect(JSON.stringify(mails)).toContain(`/comentario/${id}`)
    const place = await asBia.get(`/comentarios/${id}`)
    expect(place.body).toMatchObject({
      idRelatorio,
      nomeRelatorio: 'Custos',
      idConversa: id,
      resolvido: false,
    })
  })

  test('a mention of a person without access is refused, the same as of none, and tells nobody', async () => {
    const stranger = await createUser(app)
    const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
    await grantReport(app, blocked.idUsuario, idRelatorio)
    for (const id of [stranger.idUsuario, blocked.idUsuario, 999_999]) {
      const { status, body } = await asAna.post(address, { texto: `${at(bia)} @{${id}}` })
      expect([status, body.campos]).toEqual([
        422,
        { texto: 'Uma das pessoas mencionadas não vê este relatório. Retire a menção.' },
      ])
    }
    expect(await mailsOf(app)).toEqual([])
    expect(await bellOf(asBia)).toEqual([])
  })

  test('a mention is told once per thread until it is read, and again after that', async () => {
    const id = await say(at(bia))
    await say(`De novo ${at(bia)}`, { idConversa: id })
    expect([await bellOf(asBia), (await mailsOf(app)).length]).toEqual([[mentioned], 1])
    await asBia.post('/notificacoes/lidas')
    await say(`E de novo ${at(bia)}`, { idConversa: id })
    expect([await bellOf(asBia), (await mailsOf(app)).length]).toEqual([[mentioned, mentioned], 2])
  })

  test('a mention is read with its thread, also by a person who came from the e-mail', async () => {
    const id = await say(at(bia))
    const other = await say(`Outra ${at(bia)}`)
    await say('Resposta', { idConversa: other }, asBia)
    await asBia.post('/notificacoes/lidas', { idConversa: id })
    expect((await asBia.get('/notificacoes/resumo')).body.naoLidas).toBe(1)
    await say(`De novo ${at(bia)}`, { idConversa: id })
    expect(await mailsOf(app)).toHaveLength(3)
    await asAna.post('/notificacoes/lidas', { idConversa: id })
    expect((await asAna.get('/notificacoes/resumo')).body.naoLidas).toBe(1)
    await asAna.post('/notificacoes/lidas', { idConversa: other })
    expect((await asAna.get('/notificacoes/resumo')).body.naoLidas).toBe(0)
  })

  test('a mention is told when an edit adds it, and taken out of the bell when one removes it', async () => {
    const id = await say('Sem menção')
    await asAna.put(`${address}/${id}`, { texto: `Agora ${at(bia)}` })
    expect(await bellOf(asBia)).toEqual([mentioned])
    await asAna.put(`${address}/${id}`, { texto: 'Sem menção' })
    expect(await bellOf(asBia)).toEqual([])
  })

  test('a mention survives an edit after the person lost access, and tells them nothing', async () => {
    const id = await say(`Para ${at(bia)}`)
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    expect((await asAna.put(`${address}/${id}`, { texto: `Ainda para ${at(bia)}` })).status).toBe(200)
    expect((await asAna.put(`${address}/${id}`, { texto: 'Nada' })).status).toBe(200)
    expect((await asAna.put(`${address}/${id}`, { texto: at(bia) })).status).toBe(422)
    expect(await mailsOf(app)).toHaveLength(1)
  })

  test('a mention sends no e-mail to an address that is not verified', async () => {
    const { idUsuario } = await createUser(app, { emailPorProvar: true })
    await grantReport(app, idUsuario, idRelatorio)
    await say(at({ idUsuario }))
    expect(await mailsOf(app)).toEqual([])
  })
})

describe('the e-mail of a mention', () => {
  /** Sends what is queued through a real mail server, and returns who got what. */
  const sendAll = async () => {
    const smtp = await startSmtp()
    const sender = smtpSender(app, smtp.url)
    try {
      await sender.sendDue()
      expect(await mailsOf(app)).toEqual([])
      return smtp.received.map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text }))
    } finally {
      await sender.close()
      await smtp.close()
    }
  }

  test('the e-mail of a mention arrives with a link to the comment and without its text', async () => {
    const id = await say(`Segredo para ${at(bia)}`)
    const [mail, ...more] = await sendAll()
    expect(more).toEqual([])
    expect(mail?.to).toBe(bia.emailUsuario)
    expect(mail?.text).toContain('Ana Souza')
    expect(mail?.text).toContain(`/comentario/${id}`)
    expect(mail?.text).not.toContain('Segredo')
  })

  test('the e-mail of a mention is not sent when the mention is no longer in the text', async () => {
    const id = await say(`Para ${at(bia)}`)
    // Ids that begin with the person's are other people.
    await asAna.put(`${address}/${id}`, { texto: `Nada @{${bia.idUsuario}0 ${bia.idUsuario}}` })
    expect(await sendAll()).toEqual([])
  })

  test('the e-mail of a mention is not sent for a deleted comment or after the access has ended', async () => {
    const id = await say(`Para ${at(bia)}`)
    await asAna.del(`${address}/${id}`)
    expect(await sendAll()).toEqual([])
    await say(`De novo para ${at(bia)}`)
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    expect(await sendAll()).toEqual([])
  })

  test('the e-mail of a mention is sent for the other comment when the one that was told first is deleted', async () => {
    const id = await say('Começo')
    const first = await say(`Para ${at(bia)}`, { idConversa: id })
    const second = await say(`De novo para ${at(bia)}`, { idConversa: id })
    await asAna.del(`${address}/${first}`)
    const mails = await sendAll()
    expect(mails.map(({ to }) => to)).toEqual([bia.emailUsuario])
    expect(mails[0]?.text).toContain(`/comentario/${second}`)
  })
})

describe('a second mention of the same person in a thread', () => {
  const routesOf = async (session: Session) =>
    (await session.get('/notificacoes')).body.map(({ rota }: { rota: string }) => rota)
  let thread: number
  let first: number
  let second: number
  beforeEach(async () => {
    thread = await say('Começo')
    first = await say(`Para ${at(bia)}`, { idConversa: thread })
    second = await say(`De novo para ${at(bia)}`, { idConversa: thread })
    expect(await routesOf(asBia)).toEqual([`/comentario/${first}`])
  })

  test('a second mention of the same person in a thread is in the bell after the first one was deleted', async () => {
    await asAna.del(`${address}/${first}`)
    expect(await routesOf(asBia)).toEqual([`/comentario/${second}`])
    expect(await bellOf(asBia)).toEqual([mentioned])
  })

  test('a second mention of the same person in a thread is in the bell after an edit has removed the first one', async () => {
    await asAna.put(`${address}/${first}`, { texto: 'Para ninguém' })
    expect(await routesOf(asBia)).toEqual([`/comentario/${second}`])
    await asAna.put(`${address}/${second}`, { texto: 'Para ninguém' })
    expect(await routesOf(asBia)).toEqual([])
  })

  test('a second mention of the same person in a thread is followed by the third one when both are deleted', async () => {
    const third = await say(`E ${at(bia)}`, { idConversa: thread })
    await asAna.del(`${address}/${first}`)
    await asAna.del(`${address}/${second}`)
    expect(await routesOf(asBia)).toEqual([`/comentario/${third}`])
  })

  test('a second mention of the same person in a thread is not told again when the person has read the first one', async () => {
    await asBia.post('/notificacoes/lidas')
    await asAna.del(`${address}/${first}`)
    expect(await routesOf(asBia)).toEqual([])
    const third = await say(`E ${at(bia)}`, { idConversa: thread })
    await asAna.del(`${address}/${third}`)
    expect(await routesOf(asBia)).toEqual([])
  })

  test('a second mention of the same person in a thread is not told to a person who has lost access', async () => {
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    await asAna.del(`${address}/${first}`)
    await grantReport(app, bia.idUsuario, idRelatorio)
    expect(await routesOf(asBia)).toEqual([])
  })
})

describe('the notification of a comment', () => {
  test('the notification of a comment stays unread while the person may not read it, also when they mark all as read', async () => {
    await say(at(bia))
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    expect((await asBia.post('/notificacoes/lidas')).body).toEqual({ naoLidas: 0 })
    await grantReport(app, bia.idUsuario, idRelatorio)
    expect((await asBia.get('/notificacoes/resumo')).body.naoLidas).toBe(1)
    expect((await asBia.post('/notificacoes/lidas')).body).toEqual({ naoLidas: 0 })
    expect((await asBia.get('/notificacoes/resumo')).body.naoLidas).toBe(0)
  })

  test('the notification of a comment is hidden while the person may not read it, and goes with the comment', async () => {
    const id = await say(at(bia))
    const kept = await say(`Outra ${at(bia)}`)
    expect(await bellOf(asBia)).toHaveLength(2)
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', bia.idUsuario).execute()
    expect(await bellOf(asBia)).toEqual([])
    await grantReport(app, bia.idUsuario, idRelatorio)
    await app.db.updateTable('relatorio').set({ comentarios: false }).execute()
    expect(await bellOf(asBia)).toEqual([])
    await app.db.updateTable('relatorio').set({ comentarios: true }).execute()
    await asAna.del(`${address}/${id}`)
    expect(await bellOf(asBia)).toHaveLength(1)
    await say('Resposta', { idConversa: kept }, asBia)
    await asAna.del(`${address}/${kept}`)
    expect(await bellOf(asBia)).toEqual([])
  })

  test('the notification of a comment of a reply goes to the other writers of the thread, once, and by bell only', async () => {
    const id = await say('Começo')
    const carla = await createUser(app, { nomeUsuario: 'Carla' })
    await grantReport(app, carla.idUsuario, idRelatorio)
    const asCarla = await app.as(carla)
    await say('Eu também', { idConversa: id }, asCarla)
    await say(`Responde, ${at(carla)}`, { idConversa: id }, asBia)
    expect(await bellOf(asAna)).toEqual(['Carla respondeu em uma conversa sua'])
    expect(await bellOf(asCarla)).toEqual(['Bia Lima mencionou você em um comentário'])
    expect((await mailsOf(app)).map(({ para }) => para)).toEqual([carla.emailUsuario])
    await app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', ana.idUsuario).execute()
    await asBia.post('/notificacoes/lidas')
    await say('Mais', { idConversa: id }, asCarla)
    await grantReport(app, ana.idUsuario, idRelatorio)
    expect(await bellOf(asAna)).toEqual(['Carla respondeu em uma conversa sua'])
  })
})
