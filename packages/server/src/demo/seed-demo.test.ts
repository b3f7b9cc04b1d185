import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Beneficiary } from '@bi-manager/contract'
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../test/use-test-app.ts'
import { createUser } from '../../test/users.ts'
import { createFirstAdmin } from '../accounts/users/first-admin.ts'
import { seedDemo } from './seed-demo.ts'

let seedFile: string
const app = useTestApp()
beforeAll(async () => {
  seedFile = join(app.dataDir, 'demo-seed.json')
})

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const report = (n: number, name: string, requiresIdentity = false) => ({
  id: id(n),
  name,
  requiresIdentity,
  roles: requiresIdentity ? ['Operadora'] : [],
})
const seed = (secret: string) => ({
  connection: { tenantId: id(1), applicationId: id(2), secret },
  workspaces: [
    { id: id(10), name: 'Um', reports: [report(11, 'A'), report(12, 'B'), report(13, 'C', true)] },
    { id: id(20), name: 'Dois', reports: [report(21, 'D'), report(22, 'E', true)] },
    { id: id(30), name: 'Três', reports: [report(31, 'F')] },
  ],
})
const start = async (secret = 'segredo') => {
  await writeFile(seedFile, JSON.stringify(seed(secret)))
  await seedDemo(app.services, seedFile)
}
const menuOf = async (name: string): Promise<string[]> => {
  const { get } = await app.as({ emailUsuario: `${name}@demo.local`, password: `Demo-${name}-2026` })
  const { body } = await get('/usuarios/menus')
  return body.flatMap(({ relatorios }: { relatorios: { nome: string }[] }) =>
    relatorios.map(({ nome }) => nome),
  )
}

test('seedDemo fills an empty database with three users, each with their own reports', async () => {
  await start()
  expect(await menuOf('admin')).toEqual(['D', 'E', 'F', 'A', 'B', 'C'])
  expect(await menuOf('ana')).toEqual(['D', 'A', 'B'])
  expect(await menuOf('helena')).toEqual(['E', 'C'])
  const helena = await app.db
    .selectFrom('usuario')
    .selectAll()
    .where('emailUsuario', '=', 'helena@demo.local')
    .executeTakeFirst()
  expect(helena).toMatchObject({
    identidadeRls: 'CNU',
    acessoProntuario: true,
    encarregadoDados: true,
    tipoUsuario: 'USER',
  })
})

test('seedDemo adds recognisably fictitious beneficiaries with a year of records', async () => {
  await start()
  const helena = await app.as({ emailUsuario: 'helena@demo.local', password: 'Demo-helena-2026' })
  const { body: people } = await helena.get('/beneficiarios')
  expect(people).toHaveLength(24)
  expect(new Set(people.map((one: Beneficiary) => one.nome_beneficiario)).size).toBe(24)
  for (const one of people as Beneficiary[]) {
    expect(one.nome_beneficiario).toMatch(/^\S+ Exemplo /)
    expect(one.id_beneficiario).toMatch(/^EX-\d{4}$/)
    // The contract accepts each as it is.
    expect(await helena.put(`/beneficiarios/${one.id}`, one)).toMatchObject({ status: 200 })
  }
  const records = await app.db
    .selectFrom('prontuario')
    .innerJoin('beneficiario', 'beneficiario.id', 'prontuario.beneficiario')
    .select(['dataProntuario', 'prontuario.autor', 'ultimoRegistro', 'prontuario.versao'])
    .orderBy('prontuario.id')
    .execute()
  const days = records.map(({ dataProntuario }) => dataProntuario)
  expect([records.length, days]).toEqual([40, days.toSorted()])
  const year = 366 * 24 * 3_600_000
  expect(Date.now() - Date.parse(days[0] ?? '')).toBeLessThan(year)
  expect(Date.parse(days.at(-1) ?? '')).toBeLessThan(Date.now())
  for (const { autor, dataProntuario, ultimoRegistro } of records) {
    expect([autor, dataProntuario <= (ultimoRegistro ?? '')]).toEqual(['Helena Duarte', true])
  }
  const mended = records.filter(({ versao }) => versao > 1).length
  expect((await app.db.selectFrom('prontuarioVersao').select('id').execute()).length).toBe(mended)
  expect(mended).toBeGreaterThan(0)
})

test('a later start restores sign-ins and a changed credential, and changes nothing else', async () => {
  await start()
  await app.db
    .updateTable('usuario')
    .set({ situacao: 'BLOQUEADO', senhaHash: null })
    .where('emailUsuario', '=', 'ana@demo.local')
    .execute()
  await app.db.deleteFrom('relatorioUsuario').execute()
  const connection = () => app.db.selectFrom('powerbi').selectAll().executeTakeFirstOrThrow()
  const before = await connection()
  await start()
  expect(await connection()).toEqual(before)
  expect(await menuOf('ana')).toEqual([])
  await start('outro segredo')
  const after = await connection()
  expect(after.versao).toBe(before.versao + 1)
  expect(app.services.secrets.decrypt(after.segredo)).toBe('outro segredo')
})

test('seedDemo refuses a database with real data, and leaves it unchanged', async () => {
  await createUser(app, { tipoUsuario: 'ADMIN' })
  await expect(start()).rejects.toThrow(/^A demonstração só usa um banco vazio ou o seu próprio/)
  expect(await app.db.selectFrom('usuario').select('emailUsuario').execute()).toHaveLength(1)
})

test('seedDemo creates the first ADMIN once, on an empty database, with the configured password', async () => {
  const config = {
    ...app.services.config,
    adminEmail: 'chefe@exemplo.com.br',
    adminPassword: 'Uma senha inicial',
  }
  await createFirstAdmin({ ...app.services, config })
  const { signedIn } = await app.as({ emailUsuario: 'chefe@exemplo.com.br', password: 'Uma senha inicial' })
  expect(signedIn).toMatchObject({ tipo: 'ADMIN', client_id: 1 })
  await createFirstAdmin({ ...app.services, config: { ...config, adminEmail: 'outro@exemplo.com.br' } })
  expect(await app.db.selectFrom('usuario').select('emailUsuario').execute()).toHaveLength(1)
})
