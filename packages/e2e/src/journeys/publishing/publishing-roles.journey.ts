import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notificationsApi, usersApi } from '@bi-manager/contract'
import { type Zippable, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { settled, visit } from '../../browser/visitor.ts'
import { choose, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { type Demo, startFresh } from '../../services/demo.ts'

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const clara = { email: 'clara@empresa.exemplo', password: 'Girassol de verão 59', name: 'Clara Nunes' }
const EXAMPLE = fileURLToPath(new URL('../../../../../docs/manual/exemplos/meu-relatorio', import.meta.url))

let demo: Demo
beforeAll(async () => {
  demo = await startFresh({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
}, 120_000)
afterAll(() => demo?.stop())

/** Returns the example's files, with a role and a second report. */
const securedFolder = async (): Promise<Zippable> => {
  const files: Zippable = {}
  for (const entry of await readdir(EXAMPLE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `meu-relatorio/${file.slice(EXAMPLE.length + 1)}`
    const text = await readFile(file, 'utf8')
    const roles = [{ name: 'Unidades', rows: { Atendimentos: '$username IS NOT NULL' } }]
    files[path] = Buffer.from(
      path.endsWith('dataset.json') ? JSON.stringify({ ...JSON.parse(text), roles }) : text,
    )
    if (path.endsWith('atendimentos.json'))
      files[path.replace('atendimentos.json', 'custos.json')] = Buffer.from(
        JSON.stringify({ ...JSON.parse(text), id: randomUUID(), name: 'Custos por unidade' }),
      )
  }
  return files
}

test('a folder with row-level security asks for roles, and its reports open with them', {
  timeout: 120_000,
}, async () => {
  const { call } = await signedInClient(demo.portal, admin)
  await call(usersApi.create, {
    body: {
      nomeUsuario: clara.name,
      emailUsuario: clara.email,
      senhaUsuario: clara.password,
    },
  })
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'Escolher arquivos')
  const buffer = Buffer.from(zipSync(await securedFolder()))
  await (await chooser).setFiles({ name: 'meu-relatorio.zip', mimeType: 'application/zip', buffer })
  await main.getByText(/^Sem prévia: os dados têm segurança em nível de linha/).waitFor()
  await main.getByText(/ninguém abre “Atendimentos por unidade” e “Custos por unidade”/).waitFor()
  await settled(visitor, 'publishing reports with roles')
  await main.getByLabel('Unidades').check()
  await choose(page, 'Pessoas', clara.name)
  await press(main, 'Publicar')
  await main.getByText('2 relatórios publicados!').waitFor()
  await settled(visitor, 'published reports with roles')
  await main.getByRole('link', { name: 'Abrir relatório' }).first().click()
  await expectDrawn(await waitForRendered(page), 'a report with roles')
  await visitor.close()

  const reader = await signedInClient(demo.portal, clara)
  const told = await reader.call(notificationsApi.list, { query: {} })
  expect(told.filter(({ tipo }) => tipo === 'permissao_liberada')).toMatchObject([
    { texto: 'Você já pode abrir “Atendimentos por unidade” e “Custos por unidade”.' },
  ])
})
