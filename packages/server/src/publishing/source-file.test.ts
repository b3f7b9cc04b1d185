import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSourceFile } from './source-file.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fontes-'))
  folder = join(home, 'dados')
  mkdirSync(join(folder, 'vendas'), { recursive: true })
  writeFileSync(join(home, 'segredo.csv'), 'a\n1\n')
  writeFileSync(join(folder, 'vendas/abril.csv'), 'a\n2\n')
})
afterEach(() => rmSync(home, { recursive: true }))

const read = (path: string, maxBytes = 100) => readSourceFile(folder, path, maxBytes)

test('the source file reads a file below the folder, also when the folder itself is reached by a link', async () => {
  expect(String(await read('vendas/abril.csv'))).toBe('a\n2\n')
  symlinkSync(folder, join(home, 'atalho'))
  expect(String(await readSourceFile(join(home, 'atalho'), 'vendas/abril.csv', 100))).toBe('a\n2\n')
})

test('the source file refuses links to files and folders, wherever they lead', async () => {
  symlinkSync(join(home, 'segredo.csv'), join(folder, 'fora.csv'))
  symlinkSync(home, join(folder, 'casa'))
  symlinkSync(join(folder, 'vendas/abril.csv'), join(folder, 'dentro.csv'))
  for (const path of ['fora.csv', 'casa/segredo.csv', 'dentro.csv'])
    await expect(read(path)).rejects.toThrow('O caminho passa por um atalho, o que não é aceito.')
})

test('the source file refuses a pipe without waiting, a folder, a large file and a missing one', async () => {
  execFileSync('mkfifo', [join(folder, 'cano.csv')])
  await expect(read('cano.csv')).rejects.toThrow('O caminho não é de um arquivo comum.')
  await expect(read('vendas')).rejects.toThrow('O caminho não é de um arquivo comum.')
  await expect(read('vendas/abril.csv', 3)).rejects.toThrow('O arquivo passa do limite de 0 MB.')
  await expect(read('maio.csv')).rejects.toThrow('O arquivo não existe na pasta de dados.')
  await expect(readSourceFile(join(home, 'nada'), 'a.csv', 1)).rejects.toThrow(/DATA_FILES_DIR/)
})
