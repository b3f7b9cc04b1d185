import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ID = 'd0000000-0000-4000-8000-000000000001'
let home = ''
let dataDir = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reports-command-'))
  dataDir = join(home, 'dados')
})
afterEach(() => rmSync(home, { recursive: true }))

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run.js'), 'reports', ...args],
    { cwd: home, encoding: 'utf8', env: { PATH: process.env.PATH ?? '', REPORTS_DATA_DIR: dataDir } },
  )
  return { status, stdout, stderr }
}
const write = (name: string, text: string) => {
  const path = join(home, 'vendas', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const definition = JSON.stringify({ id: ID, name: 'Vendas', tables: { V: { file: 'v.csv' } } })

describe('npm run reports', () => {
  it('checks, publishes and removes, and prints it', () => {
    write('dataset.json', definition)
    write('v.csv', 'dia;valor\n31/12/2026;1,5\n')
    expect(run('check', 'vendas')).toEqual({
      status: 0,
      stdout: 'Tudo certo. Nada foi publicado: só conferido.\n',
      stderr: '',
    })
    expect(existsSync(dataDir)).toBe(false)
    const { status, stdout } = run('publish', 'vendas')
    expect([status, stdout]).toEqual([
      0,
      `publicado  datasets/vendas/dataset.json\npublicado  datasets/vendas/v.csv\n\nPublicado em ${dataDir}: esta pasta de dados acabou de ser criada, e nenhum serviço a lê ainda. Se já há um serviço no ar, confira DATA_DIR.\n`,
    ])
    expect(run('publish', 'vendas').stdout).toContain(
      `\nPublicado em ${dataDir}. Um serviço no ar mostra o novo em segundos.\n`,
    )
    expect(readFileSync(join(dataDir, 'datasets/vendas/v.csv'), 'utf8')).toContain('31/12/2026')
    expect(run('remove', ID).stdout).toContain('Retirado: Vendas.')
    expect(run('remove', ID)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nenhum relatório'),
    })
  })

  it('names file, line and column of every fault, and exits with 1', () => {
    write('dataset.json', definition.replace('"name"', '\n"nome"'))
    expect(run('publish', 'vendas')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'erro   vendas/dataset.json: name: falta este campo (linha 1, coluna 1)\nerro   vendas/dataset.json: Chave inválida: "nome" (linha 2, coluna 8)\n\n2 erros: nada foi publicado.\n',
    })
  })

  it.each([
    [
      false,
      /^aviso {2}vendas\/dataset\.json: requiresIdentity: com false, .*mostra todas as linhas; .*tire este campo \(linha 1, coluna \d+\)\n/,
    ],
    [true, /^Tudo certo\. /],
    [undefined, /^Tudo certo\. /],
  ])(
    'check warns about roles with "requiresIdentity": %s only when it is false',
    (requiresIdentity, said) => {
      const roles = [{ name: 'Regional', rows: { V: 'valor > 0' } }]
      write('dataset.json', JSON.stringify({ ...JSON.parse(definition), roles, requiresIdentity }))
      write('v.csv', 'dia;valor\n31/12/2026;1,5\n')
      expect(run('check', 'vendas')).toEqual({
        status: 0,
        stdout: expect.stringMatching(said),
        stderr: '',
      })
    },
  )

  it('reports a file without rows before the faults of its columns', () => {
    write('d/dataset.json', definition)
    write('d/v.csv', 'dia;valor\n')
    write('w/workspace.json', JSON.stringify({ id: ID, name: 'Vendas' }))
    const card = { name: 'c', type: 'card', title: 'Total', query: 'SELECT sum(valor) AS v FROM V' }
    const visuals = [{ ...card, layout: { x: 0, y: 0, width: 100, height: 100 } }]
    const pages = [{ name: 'p', displayName: 'P', visuals }]
    write('w/r.json', JSON.stringify({ id: ID, name: 'R', dataset: ID, pages }))
    const { status, stdout, stderr } = run('check', 'vendas')
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /^aviso {2}vendas\/d\/dataset\.json: tables\.V: v\.csv: só tem o cabeçalho, nenhuma linha: /,
    )
    expect(stderr).toMatch(/^erro {3}vendas\/w\/r\.json: pages\[0\]\.visuals\[0\]\.query: /)
  })

  it.each([[['publish']], [['apagar', 'x']]])('prints the usage for %j', (args) => {
    expect(run(...args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Uso: npm run reports/),
    })
  })

  it('reports a missing folder', () => {
    const said = { status: 1, stdout: '', stderr: 'A pasta nada não existe.\n' }
    expect([run('check', 'nada'), run('publish', 'nada')]).toEqual([said, said])
    // No data folder was created.
    expect(existsSync(dataDir)).toBe(false)
    write('v.csv', 'dia;valor\n')
    expect(run('check', 'vendas/v.csv')).toMatchObject({
      status: 1,
      stderr: 'vendas/v.csv não é uma pasta.\n',
    })
  })
})
