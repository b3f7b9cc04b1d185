import { grantsApi, reportRegistrationsApi, usersApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { administrator, box, choose, dialogOf, press, waitUntilHidden } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { type Person, people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

let demo: Demo
beforeAll(async () => {
  demo = await startDemo({}, inject('demoData'))
})
afterAll(async () => {
  await demo.stop()
})

/** Returns the person and a report that is not granted to them. */
const prepare = async ({ name }: Person) => {
  const { call } = await signedInClient(demo.portal, people.admin)
  const person = (await call(usersApi.list, { query: { busca: name } }))[0]
  if (!person) throw new Error(`${name} is not there`)
  const idUsuario = person.idUsuario
  const granted = await call(grantsApi.listOfUser, { params: { idUsuario } })
  const has = new Set(granted.map(({ idRelatorio }) => idRelatorio))
  const missing = (await call(reportRegistrationsApi.list)).filter(({ idRelatorio }) => !has.has(idRelatorio))
  const [first, ...further] = missing
  if (!first) throw new Error('everything is granted already')
  return {
    idUsuario,
    first,
    /** Grants this number of further reports, each of which creates a notification. */
    tellTimes: async (times: number) => {
      const told = further.splice(0, times)
      expect(told).toHaveLength(times)
      for (const { idRelatorio } of told) await call(grantsApi.create, { body: { idUsuario, idRelatorio } })
      return told
    },
  }
}

const bell = (page: Page, unread: number) =>
  page.getByRole('button', {
    name:
      unread === 0 ? 'Notificações' : `Notificações, ${unread} ${unread === 1 ? 'não lida' : 'não lidas'}`,
    exact: true,
  })

test('without SMTP_URL the start-up output says where e-mails are kept', () => {
  expect(demo.output()).toContain(
    `Sem SMTP_URL, os e-mails não são enviados: ficam como arquivos em ${demo.dataDir}`,
  )
})

describe('the bell', () => {
  test('a grant appears within 5 s in every open window, can be read, and found again', {
    timeout: 180_000,
  }, async () => {
    const person = people.ana
    const { idUsuario, first, tellTimes } = await prepare(person)
    const visitor = await visit({ portal: demo.portal })
    const { page } = visitor
    await visitor.enter(person, '/saidibi')
    await bell(page, 0).click()
    await page.getByText('Você não tem notificações.').waitFor()
    await settled(visitor, 'empty bell')
    await page.keyboard.press('Escape')
    const other = await page.context().newPage()
    await other.goto(`${demo.portal}/notificacoes`)
    const list = other.getByRole('main')
    await list.getByText('Você não tem notificações.').waitFor()

    const admin = await administrator(`/editrelatorio/${idUsuario}`, { portal: demo.portal })
    await choose(admin.page, 'Grupo', first.nomeGrupo)
    await press(admin.page, 'Buscar Relatórios')
    await box(admin.page, first.nomeRelatorio).check()
    await press(admin.page, 'Salvar')
    await Promise.all([bell(page, 1).waitFor(), list.getByText('Novo relatório liberado').waitFor()])
    await admin.close()

    await bell(page, 1).click()
    const popup = dialogOf(page, /^Notificações/)
    const told = popup.getByRole('link', { name: `Você já pode abrir “${first.nomeRelatorio}”.` })
    await told.waitFor()
    await settled(visitor, 'bell')
    await told.click()
    await waitUntilHidden(popup)
    await bell(page, 0).waitFor()
    expect(new URL(page.url()).pathname).toBe('/saidibi')
    // The other window is updated too.
    await bell(other, 0).waitFor()
    await waitUntilHidden(list.getByRole('button', { name: /^Marcar como lida/ }))
    await other.close()

    await tellTimes(5)
    await bell(page, 5).click()
    await press(popup, 'Marcar todas como lidas')
    await bell(page, 0).waitFor()
    await tellTimes(1)
    await bell(page, 1).waitFor()
    await popup.getByRole('link', { name: 'Ver todas' }).click()
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Notificações' }).waitFor()
    await main.getByText('1–7 de 7').waitFor()
    await main.getByLabel('Linhas por página').selectOption('5')
    await main.getByText('1–5 de 7').waitFor()
    await settled(visitor, 'notifications')
    await press(main, 'Próximo')
    await main.getByText('6–7 de 7').waitFor()
    await main.getByText('Não lidas', { exact: true }).click()
    await main.getByText('1–1 de 1').waitFor()
    expect(new URL(page.url()).search).toBe('?filtro=nao-lidas')
    await page.reload()
    await press(main, /^Marcar como lida/)
    await main.getByText('Nenhuma notificação por ler.').waitFor()
    await bell(page, 0).waitFor()
    await settled(visitor, 'no unread notifications')
    await visitor.close()
  })

  test('on the phone a tap opens the bell and a notification', { timeout: 60_000 }, async () => {
    const person = people.helena
    const { tellTimes } = await prepare(person)
    const visitor = await visit({ portal: demo.portal, ...looks[1] })
    const { page } = visitor
    await visitor.enter(person, '/saidibi')
    const [told] = await tellTimes(1)
    await bell(page, 1).tap()
    await page.getByRole('link', { name: `Você já pode abrir “${told?.nomeRelatorio}”.` }).tap()
    await bell(page, 0).waitFor()
    await visitor.close()
  })
})
