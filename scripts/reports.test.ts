import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const ID = 'd0000000-0000-4000-8000-000000000001'
let home = ''
let dataDir = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reports-command-'))
  dataDir = join(home, 'dados')
})
afterEach(() => rmSync(home, { recursive: true }))

const RUN = join(import.meta.dirname, 'run.js')
const run = (...args: string[]) => runAs({}, ...args)
const runAs = (options: SpawnSyncOptions, ...args: string[]) => {
  const env = { PATH: process.env.PATH ?? '', REPORTS_DATA_DIR: dataDir, TMPDIR: home }
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, 'reports', ...args], {
    cwd: home,
    encoding: 'utf8',
    env,
    ...options,
  })
  return { status, stdout: String(stdout), stderr: String(stderr) }
}
/** Leaves what the service leaves at its first start. */
const startService = () => {
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, 'service.json'), '{}', { mode: 0o600 })
}
const write = (name: string, text: string) => {
  const path = join(home, 'vendas', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const definition = JSON.stringify({ id: ID, name: 'Vendas', tables: { V: { file: 'v.csv' } } })

describe('npm run reports', () => {
  test('the command checks, publishes and removes, and prints it', () => {
    write('dataset.json', definition)
    write('v.csv', 'dia;valor\n31/12/2026;1,5\n')
    expect(run('check', 'vendas')).toEqual({
      status: 0,
      stdout: 'Tudo certo. Nada foi publicado: só conferido.\n',
      stderr: '',
    })
    expect(existsSync(dataDir)).toBe(false)
    startService()
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

  test('the command names file, line and column of every fault, and exits with 1', () => {
    write('dataset.json', definition.replace('"name"', '\n"nome"'))
    startService()
    expect(run('publish', 'vendas')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'erro   vendas/dataset.json: name: falta este campo (linha 1, coluna 1)\nerro   vendas/dataset.json: Chave inválida: "nome" (linha 2, coluna 8)\n\n2 erros: nada foi publicado.\n',
    })
  })

  test.each([
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

  test('npm run reports reports a file without rows before the faults of its columns', () => {
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

  test.each([[['publish']], [['apagar', 'x']]])('npm run reports prints the usage for %j', (args) => {
    expect(run(...args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Uso: npm run reports/),
    })
  })

  test('npm run reports reports a missing folder', () => {
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

/** The id of the user `nobody` on most systems. Only root can create files of another user. */
const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0
const asNobody = { uid: NOBODY, gid: NOBODY }
/** The repository may be in a folder that other users cannot read. */
const nobodyCanRun =
  isRoot &&
  spawnSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(RUN)})`], asNobody)
    .status === 0
const nobody = /\b(nobody|usuário 65534)\b/

describe('publish and remove refuse to write what the service cannot read', () => {
  beforeEach(() => {
    write('dataset.json', definition)
    write('v.csv', 'dia;valor\n31/12/2026;1,5\n')
    chmodSync(home, 0o777)
  })
  const commands = [
    ['publish', 'vendas'],
    ['remove', ID],
  ] as const
  const giveToNobody = (path: string) => {
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
      chownSync(join(path, name), NOBODY, NOBODY)
    chownSync(path, NOBODY, NOBODY)
  }

  test.each(commands)('%s: a folder that no service uses, such as that of a wrong DATA_DIR', (...args) => {
    const refusal = {
      status: 1,
      stdout: '',
      stderr: `${dataDir} não é a pasta de dados de um serviço de relatórios: falta service.json. Confira REPORTS_DATA_DIR e DATA_DIR; numa instalação nova, inicie o serviço antes.\n`,
    }
    expect(run(...args)).toEqual(refusal)
    expect(existsSync(dataDir)).toBe(false)
    mkdirSync(join(dataDir, 'pglite'), { recursive: true })
    expect(run(...args)).toEqual(refusal)
    expect(readdirSync(dataDir)).toEqual(['pglite'])
  })

  test('publish and remove refuse to write what the service cannot read finds the folder of a DATA_DIR from a file with Windows line ends', () => {
    const env = { PATH: process.env.PATH ?? '', TMPDIR: home, REPORTS_DATA_DIR: '\r', DATA_DIR: `${home}\r` }
    const { status, stderr } = runAs({ env }, 'remove', ID)
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(`^${join(home, 'reports')} não é a pasta de dados de um serviço de relatórios`),
    ])
  })

  test('publish and remove refuse to write what the service cannot read refuses a DATA_DIR whose folder has the carriage return in its name', () => {
    mkdirSync(`${home}/bi\r`)
    const env = { PATH: process.env.PATH ?? '', TMPDIR: home, DATA_DIR: `${home}/bi\r` }
    const { status, stderr } = runAs({ env }, 'remove', ID)
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Configuração inválida: DATA_DIR termina com um retorno de carro/),
    ])
  })

  test.runIf(isRoot).each(commands)('%s refuses the folder of another user', (...args) => {
    startService()
    giveToNobody(dataDir)
    const { status, stdout, stderr } = run(...args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^Este comando roda como root, e o serviço, como (nobody|usuário 65534): ele não leria .* root faz isso com: (runuser -u nobody|setpriv --reuid 65534 --regid 65534 --clear-groups) -- comando\n$/,
    )
    expect(readdirSync(dataDir)).toEqual(['service.json'])
  })

  test.runIf(isRoot)('a folder inside that another user has written', () => {
    startService()
    mkdirSync(join(dataDir, 'datasets/antigos'), { recursive: true })
    chownSync(join(dataDir, 'datasets/antigos'), NOBODY, NOBODY)
    const { status, stderr } = run('publish', 'vendas')
    expect(status).toBe(1)
    expect(stderr).toMatch(
      new RegExp(
        `^${dataDir}/datasets/antigos pertence a (nobody|usuário 65534), .*chown -R root ${dataDir}/datasets/antigos\\n$`,
      ),
    )
    expect(stderr).toMatch(nobody)
    expect(readdirSync(join(dataDir, 'datasets'))).toEqual(['antigos'])
  })

  test('a folder inside whose mode closes it', () => {
    startService()
    mkdirSync(join(dataDir, 'workspaces'))
    chmodSync(join(dataDir, 'workspaces'), 0o500)
    expect(run('publish', 'vendas')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${dataDir}/workspaces tem o modo 500, que não deixa o serviço ler e trocar os arquivos. Corrija com: chmod u+rwx ${dataDir}/workspaces\n`,
    })
    chmodSync(join(dataDir, 'workspaces'), 0o700)
    expect(run('publish', 'vendas').status).toBe(0)
  })

  test.runIf(nobodyCanRun)('a folder that the caller may not enter; the own one works', () => {
    startService()
    expect(runAs(asNobody, 'publish', 'vendas')).toEqual({
      status: 1,
      stdout: '',
      stderr: `Sem permissão para ler ${dataDir}. Rode o comando como o usuário do serviço de relatórios.\n`,
    })
    giveToNobody(dataDir)
    // Files of the author that are read-only do not stay so.
    chmodSync(join(home, 'vendas/v.csv'), 0o444)
    const { status, stderr } = runAs(asNobody, 'publish', 'vendas')
    expect([status, stderr]).toEqual([0, ''])
    expect(statSync(join(dataDir, 'datasets/vendas/v.csv'))).toMatchObject({ uid: NOBODY, mode: 0o100600 })
  })

  test.runIf(nobodyCanRun)(
    'publish and remove refuse to write what the service cannot read says which file of the author cannot be read',
    () => {
      startService()
      giveToNobody(dataDir)
      chmodSync(join(home, 'vendas/v.csv'), 0o600)
      const { status, stderr } = runAs(asNobody, 'publish', 'vendas')
      expect(status).toBe(1)
      expect(stderr).toBe(`Sem permissão para ler ou gravar: ${join(home, 'vendas/v.csv')}\n`)
      expect(existsSync(join(dataDir, 'datasets'))).toBe(false)
    },
  )
})
