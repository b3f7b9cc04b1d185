import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const {
  suite,
  start,
  workAndSend,
  work,
  senderOf,
  onlyRun,
  mails,
  received,
  bellOf,
  again,
  pass,
  change,
  asked,
} = subscriptionSuite()
const withRows = { papeisRls: ['Regional'] }
const allowed = { anexosRestritos: true }

describe('a recipient', () => {
  const skips: [string, (about: Awaited<ReturnType<typeof start>>) => Promise<unknown>, RegExp][] = [
    [
      'who lost the report',
      ({ recipients }) =>
        suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', idOf(recipients)).execute(),
      /Não pode ver o relatório/,
    ],
    [
      'who is blocked',
      ({ recipients }) => change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients)),
      /não está ativa/,
    ],
    [
      'whose account has ended',
      ({ recipients }) => change('usuario', { venceEm: new Date(0) }, idOf(recipients)),
      /não está ativa/,
    ],
    [
      'whose grant has ended',
      ({ recipients }) =>
        suite.app.db
          .updateTable('relatorioUsuario')
          .set({ venceEm: new Date(0) })
          .where('idUsuario', '=', idOf(recipients))
          .execute(),
      /Não pode ver o relatório/,
    ],
    [
      'whose e-mail is not confirmed',
      ({ recipients }) => change('usuario', { emailPorProvar: true }, idOf(recipients)),
      /não foi confirmado/,
    ],
    [
      'who must set up a second factor',
      () => suite.app.db.updateTable('configuracao').set({ segundoFator: 'todos', versao: 2 }).execute(),
      /segundo fator/,
    ],
    [
      'of a domain that is not allowed',
      () =>
        suite.app.db
          .updateTable('assinaturaRegras')
          .set({ dominios: ['outro.com'], versao: 2 })
          .execute(),
      /domínio/,
    ],
    [
      'of an owner who is no ADMIN any more',
      ({ owner, report }) =>
        Promise.all([
          change('usuario', { tipoUsuario: 'USER' }, owner.idUsuario),
          suite.app.db
            .insertInto('relatorioUsuario')
            .values({ idUsuario: owner.idUsuario, idRelatorio: report.idRelatorio })
            .execute(),
        ]),
      /não é mais administrador/,
    ],
    [
      'of an owner who is blocked',
      ({ owner }) => change('usuario', { situacao: 'BLOQUEADO' }, owner.idUsuario),
      /não está ativa/,
    ],
    [
      'of an owner whose account has ended',
      ({ owner }) => change('usuario', { venceEm: new Date(0) }, owner.idUsuario),
      /não está ativa/,
    ],
    [
      'of an owner who lost the report',
      ({ owner }) => change('usuario', { tipoUsuario: 'USER' }, owner.idUsuario),
      /não pode mais ver/,
    ],
    [
      'of a paused subscription',
      ({ idAssinatura }) => change('assinatura', { ativa: false }, idAssinatura),
      /pausada/,
    ],
  ]
  const idOf = (recipients: { idUsuario: number }[]) => recipients[0]?.idUsuario ?? 0

  test.each(skips)('%s is skipped when the run is prepared', async (_, revoke, reason) => {
    const about = await start()
    // Begun before the change.
    await suite.app.db
      .insertInto('assinaturaExecucao')
      .values({
        idAssinatura: about.idAssinatura,
        causa: 'AGENDA',
        previstaEm: new Date(),
        tentarEm: new Date(0),
      })
      .execute()
    await suite.app.db
      .insertInto('assinaturaEntrega')
      .values({ idExecucao: 1, idUsuario: idOf(about.recipients), em: new Date() })
      .execute()
    await change('assinatura', { proximaEm: null }, about.idAssinatura)
    await revoke(about)
    await workAndSend()
    expect([asked(), received()]).toEqual([[], []])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA' })
  })

  test.each(skips)('%s is skipped when the file is ready', async (_, revoke, reason) => {
    const about = await start()
    await work()
    expect(asked()).toHaveLength(1)
    await revoke(about)
    await workAndSend()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
  })

  test.each(skips)('%s gets no queued e-mail', async (_, revoke, reason) => {
    const about = await start()
    await work()
    await pass(2_500)
    await work()
    expect(await mails()).toMatchObject([{ estado: 'NA_FILA' }])
    await revoke(about)
    await senderOf().sendDue()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([{ estado: 'PULADA', motivo: expect.stringMatching(reason) }])
    expect(await suite.app.db.selectFrom('mensagem').selectAll().execute()).toEqual([])
    await workAndSend()
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA', frase: expect.stringMatching(reason) })
  })

  test.each([
    [
      'identity',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('usuario', { identidadeRls: 'Sul' }, idOf(about.recipients)),
    ],
    [
      'e-mail',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('usuario', { emailUsuario: 'outra@exemplo.com.br' }, idOf(about.recipients)),
    ],
    [
      'roles',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('relatorio', { papeisRls: ['Nacional'] }, about.report.idRelatorio),
    ],
    [
      'filter',
      (about: Awaited<ReturnType<typeof start>>) =>
        change('relatorio', { filtro: "a/b eq 'c'" }, about.report.idRelatorio),
    ],
  ])('a recipient whose %s changed since the file was drawn gets no queued e-mail', async (_, alter) => {
    const about = await start({ report: withRows, rules: allowed })
    await work()
    await pass(2_500)
    await work()
    await alter(about)
    await senderOf().sendDue()
    expect(received()).toEqual([])
    expect(await mails()).toMatchObject([
      { estado: 'PULADA', motivo: expect.stringMatching(/mudou durante o envio/) },
    ])
  })

  test.each([
    ['attachments of restricted reports are forbidden', { anexosRestritos: false }, 'ENVIADA', [null]],
    ['the domain is forbidden', { dominios: ['outro.com'] }, 'PULADA', []],
  ])(
    'a recipient gets an e-mail by the new rules when %s while the file is read',
    async (_, rules, estado, files) => {
      await start({ report: withRows, rules: allowed })
      await work()
      await pass(2_500)
      await work()
      const { db, services } = suite.app
      const get = async (name: string) => {
        await db
          .updateTable('assinaturaRegras')
          .set({ ...rules, versao: 3 })
          .execute()
        return services.files.get(name)
      }
      await senderOf({ files: { ...services.files, get } }).sendDue()
      expect(received().map(({ de }) => de)).toEqual(files)
      expect(await mails()).toMatchObject([{ estado }])
    },
  )

  test('a recipient whose queued e-mail was lost has a failed one after four days, and the run ends', async () => {
    const { owner } = await start()
    await work()
    await pass(2_500)
    await work()
    await suite.app.db.deleteFrom('mensagem').execute()
    await change('assinatura', { proximaEm: null }, (await onlyRun())?.idAssinatura ?? 0)
    await pass(3.9 * 24 * 3_600_000)
    await work()
    expect(await mails()).toMatchObject([{ estado: 'NA_FILA' }])
    await pass(0.2 * 24 * 3_600_000)
    await work()
    expect(await mails()).toMatchObject([{ estado: 'FALHOU', motivo: 'O e-mail não saiu em 4 dias.' }])
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/4 dias/) })
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
  })

  test('a recipient who unsubscribed or left a profile gets none, and the owner is not notified', async () => {
    const { owner, recipients, idAssinatura } = await start({ people: 2 })
    const [ana, bia] = recipients
    await work()
    await pass(2_500)
    await work()
    await suite.app.db
      .insertInto('assinaturaSaida')
      .values({ idAssinatura, idUsuario: ana?.idUsuario ?? 0, em: new Date() })
      .execute()
    await suite.app.db
      .deleteFrom('assinaturaPessoa')
      .where('idUsuario', '=', bia?.idUsuario ?? 0)
      .execute()
    await workAndSend()
    expect(received()).toEqual([])
    expect(await bellOf(owner.idUsuario)).toEqual([])
  })

  test('a recipient who is skipped does not keep the others from their e-mails; the owner is notified once, until it is paused', async () => {
    const { owner, recipients } = await start({ people: 3 })
    await change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients))
    await workAndSend()
    expect(received()).toHaveLength(2)
    const told = [
      {
        titulo: '“Custos da semana” não chegou a todos',
        texto: 'Leitora 1: A conta não está ativa.',
      },
    ]
    expect(await bellOf(owner.idUsuario)).toMatchObject(told)
    await again()
    await workAndSend()
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
    await change('usuario', { situacao: 'ATIVO' }, idOf(recipients))
    await again()
    await workAndSend()
    expect(await bellOf(owner.idUsuario)).toMatchObject([{ lidaEm: expect.any(Date) }])
    await change('usuario', { situacao: 'BLOQUEADO' }, idOf(recipients))
    await again()
    await workAndSend()
    expect(await bellOf(owner.idUsuario)).toHaveLength(2)
    const { idAssinatura } = await suite.app.db
      .selectFrom('assinatura')
      .select('idAssinatura')
      .executeTakeFirstOrThrow()
    const paused = await (await suite.app.as(owner)).put(`/assinaturas/${idAssinatura}/ativa`, {
      ativa: false,
    })
    expect(paused.status).toBe(200)
    const unread = (await bellOf(owner.idUsuario)).filter(({ lidaEm }) => lidaEm === null)
    expect(unread).toEqual([])
  })
})
