import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const {
  suite,
  start,
  workAndSend,
  work,
  refreshed,
  runs,
  onlyRun,
  mails,
  received,
  bellOf,
  again,
  pass,
  change,
  asked,
} = subscriptionSuite()

describe('a run sends no e-mail', () => {
  const refused = async (reason: RegExp) => {
    await workAndSend()
    expect([received(), asked()]).toEqual([[], []])
    expect(await onlyRun()).toMatchObject({ estado: 'NAO_ENVIADA', frase: expect.stringMatching(reason) })
  }

  test('a run sends no e-mail when the last refresh failed', async () => {
    const { owner } = await start()
    refreshed(undefined, 'Failed')
    await refused(/última atualização dos dados falhou/)
    expect(await bellOf(owner.idUsuario)).toMatchObject([{ titulo: '“Custos da semana” não foi enviado' }])
  })

  test('a run sends no e-mail when the schedule says that the data should be newer, and waits for a refresh that is late', async () => {
    await start()
    const now = suite.app.services.now()
    const due = new Date(now.getTime() - 30 * 60_000)
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    const times = [due.toISOString().slice(11, 16)]
    suite.provider.answer('refreshSchedule', () => ({
      body: { enabled: true, days, times, localTimeZoneId: 'UTC' },
    }))
    refreshed(new Date(now.getTime() - 3 * 3_600_000))
    await work()
    expect(await onlyRun()).toMatchObject({ estado: 'EM_ANDAMENTO', repeticoes: 0 })
    await pass(90 * 60_000)
    await refused(/a atualização marcada para .* não terminou/)
  })

  test('a run sends no e-mail until a late refresh has ended', async () => {
    await start()
    const now = suite.app.services.now()
    const times = [new Date(now.getTime() - 30 * 60_000).toISOString().slice(11, 16)]
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    suite.provider.answer('refreshSchedule', () => ({
      body: { enabled: true, days, times, localTimeZoneId: 'UTC' },
    }))
    refreshed(new Date(now.getTime() - 3 * 3_600_000))
    await work()
    await pass(5 * 60_000)
    refreshed()
    await workAndSend()
    expect(received()).toHaveLength(1)
  })

  test('a run sends no e-mail when the scheduled replacement of local data failed', async () => {
    const { report } = await start({ provedor: 'local' })
    const at = new Date()
    await suite.app.db
      .insertInto('agendaDados')
      .values({
        reportId: report.reportId.toLowerCase(),
        tabela: 't',
        origem: 'PASTA',
        frequencia: 'DIA',
        endereco: suite.app.services.secrets.encrypt('x'),
        horario: '06:00',
        ativa: true,
        proximaEm: at,
        ultimaEm: at,
        resultado: 'FALHOU',
        frase: 'O arquivo não existe.',
      })
      .execute()
    await refused(/troca agendada dos dados falhou.*O arquivo não existe/)
  })

  test('a run sends no e-mail when the data are unchanged and the subscription skips such runs', async () => {
    const { owner, idAssinatura } = await start({ subscription: { pulaInalterado: true } })
    await workAndSend()
    await again()
    await workAndSend()
    expect(received()).toHaveLength(1)
    expect((await runs()).map(({ estado }) => estado)).toEqual(['CONCLUIDA', 'NAO_ENVIADA'])
    expect(await bellOf(owner.idUsuario)).toEqual([])
    refreshed()
    await again()
    await workAndSend()
    expect(received()).toHaveLength(2)
    // Another content of the same data is news.
    await change('assinatura', { pagina: 'p2', versao: 2 }, idAssinatura)
    await again()
    await workAndSend()
    expect(received()).toHaveLength(3)
  })

  const contentOf = (content: object) =>
    suite.provider.answer('exportState', ({ path }) => ({
      body: { id: path.split('/').at(-1), status: 'Succeeded', '@biManager.content': content },
    }))

  test('a run sends no e-mail when a visual could not read its data', async () => {
    const { owner } = await start({ provedor: 'local' })
    contentOf({ failedVisuals: 2, rows: 7, digest: 'a' })
    await workAndSend()
    for (let n = 0; n < 6; n += 1) {
      await pass(11 * 60_000)
      await workAndSend()
    }
    expect(received()).toEqual([])
    expect(await onlyRun()).toMatchObject({ estado: 'FALHOU', frase: expect.stringMatching(/2 visuais/) })
    expect(await bellOf(owner.idUsuario)).toHaveLength(1)
  })

  test('a run sends no e-mail to recipients for whom the report is empty or has the same rows, if the subscription skips those', async () => {
    const { owner } = await start({
      provedor: 'local',
      subscription: { pulaVazio: true, pulaInalterado: true },
    })
    contentOf({ failedVisuals: 0, rows: 0, digest: 'none' })
    await workAndSend()
    expect(await onlyRun()).toMatchObject({
      estado: 'NAO_ENVIADA',
      frase: 'Nada foi enviado. Leitora 1: O relatório não tem linhas para esta pessoa.',
    })
    expect(await bellOf(owner.idUsuario)).toEqual([])
    expect([received(), await mails()]).toMatchObject([
      [],
      [{ estado: 'PULADA', motivo: expect.stringMatching(/não tem linhas/) }],
    ])
    contentOf({ failedVisuals: 0, rows: 3, digest: 'three' })
    for (const expected of [1, 1]) {
      refreshed()
      await again()
      await workAndSend()
      expect(received()).toHaveLength(expected)
    }
    contentOf({ failedVisuals: 0, rows: 3, digest: 'other' })
    refreshed()
    await again()
    await workAndSend()
    expect(received()).toHaveLength(2)
  })

  const block = (person: { idUsuario: number } | undefined, isBlocked: boolean) =>
    change('usuario', { situacao: isBlocked ? 'BLOQUEADO' : 'ATIVO' }, person?.idUsuario ?? 0)
  const unchanged = { estado: 'PULADA', motivo: 'Os dados são os do último e-mail.' }

  test('a run withholds the e-mail only from recipients whose last e-mail had the data of this refresh', async () => {
    const { recipients } = await start({ people: 2, subscription: { pulaInalterado: true } })
    await block(recipients[1], true)
    await workAndSend()
    await block(recipients[1], false)
    await again()
    await workAndSend()
    expect(received().map(({ para }) => para)).toEqual(recipients.map(({ emailUsuario }) => emailUsuario))
    expect((await mails()).slice(2)).toMatchObject([unchanged, { estado: 'ENVIADA' }])
    await again()
    await workAndSend()
    expect((await mails()).slice(4)).toMatchObject([unchanged, unchanged])
    expect((await runs()).at(-1)).toMatchObject({
      estado: 'NAO_ENVIADA',
      frase: 'Nada foi enviado. Leitora 1 e Leitora 2: Os dados são os do último e-mail.',
    })
  })

  test('a run withholds the e-mail only from recipients whose last e-mail had the same rows', async () => {
    const { recipients } = await start({
      provedor: 'local',
      people: 2,
      subscription: { pulaInalterado: true },
    })
    contentOf({ failedVisuals: 0, rows: 3, digest: 'three' })
    await block(recipients[1], true)
    await workAndSend()
    await block(recipients[1], false)
    refreshed()
    await again()
    await workAndSend()
    expect(received().map(({ para }) => para)).toEqual(recipients.map(({ emailUsuario }) => emailUsuario))
    expect((await mails()).slice(2)).toMatchObject([unchanged, { estado: 'ENVIADA' }])
  })

  test.each(['NA_FILA', 'ENVIADA', 'FALHOU', 'PULADA'] as const)(
    'a run sends no e-mail with the rows of the last e-mail, unless that one failed or was skipped: %s',
    async (estado) => {
      await start({ provedor: 'local', subscription: { pulaInalterado: true } })
      contentOf({ failedVisuals: 0, rows: 3, digest: 'three' })
      await workAndSend()
      await suite.app.db.updateTable('assinaturaEntrega').set({ estado }).execute()
      await again()
      await workAndSend()
      const isLast = estado === 'NA_FILA' || estado === 'ENVIADA'
      expect(received()).toHaveLength(isLast ? 1 : 2)
    },
  )
})
