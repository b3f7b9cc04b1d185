import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  mkdirSync(join(home, 'vendas'), { recursive: true })
  writeFileSync(join(home, 'vendas', name), text)
}
const definition = JSON.stringify({ id: ID, name: 'Vendas', tables: { V: { file: 'v.csv' } } })

describe('npm run reports', () => {
  it('checks, publishes and removes, and says so', () => {
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
      `publicado  datasets/vendas/dataset.json\npublicado  datasets/vendas/v.csv\n\nPublicado em ${dataDir}. Um serviço no ar mostra o novo em segundos.\n`,
    ])
    expect(readFileSync(join(dataDir, 'datasets/vendas/v.csv'), 'utf8')).toContain('31/12/2026')
    expect(run('remove', ID).stdout).toContain('Retirado: Vendas.')
    expect(run('remove', ID)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nenhum relatório'),
    })
  })

  it('names file, line and column of every fault, and ends with 1', () => {
    write('dataset.json', definition.replace('"name"', '\n"nome"'))
    expect(run('publish', 'vendas')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'erro   vendas/dataset.json: name: falta este campo (linha 1, coluna 1)\nerro   vendas/dataset.json: Chave inválida: "nome" (linha 2, coluna 8)\n\n2 erros: nada foi publicado.\n',
    })
  })

  it.each([[['publish']], [['apagar', 'x']]])('%j: says how it is used', (args) => {
    expect(run(...args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Uso: npm run reports/),
    })
  })

  it('a folder that is not there is said', () => {
    expect(run('check', 'nada')).toMatchObject({ status: 1, stderr: expect.stringContaining('nada') })
  })
})
