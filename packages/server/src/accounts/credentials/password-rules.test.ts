import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { weaknessOf } from './password-rules.ts'

const ana = { nomeUsuario: 'Ana Martins de Souza', emailUsuario: 'ana.souza@clinicaboa.com.br' }
const weakness = (password: string) => weaknessOf(password, ana, 'Rede Horizonte S.A.')

test.each([
  'password',
  'senha123',
  'Senha@123',
  'SENHA2026',
  's3nh@123',
  '$3nh4!!!',
  '123senha456',
  'mudar123',
  '@Mudar123',
  'brasil10',
  'Brasil2026!',
  'flamengo1',
  'corinthians',
  'c0r1nth1ans',
  'deusefiel',
  'jesus777',
  'amor1234',
  'família1',
  'FAMILIA123',
  'mengao10',
  '1a2b3c4d',
  '1q2w3e4r',
  'q1w2e3r4',
  'verao2026',
  'verão@2026',
  'primavera1',
  'janeiro2026',
  'gabriel10',
  'administrador',
  'admin123',
  'admin@2026',
  'gvt12345',
  '10203040',
  '147258369',
  '147.258.369',
  'senhasenha',
  'teamo123',
  'euteamo!',
  'nossa senhora',
  'trustno1',
  'letmein1',
  'iloveyou2',
  'unimed2026',
])('the rule refuses %s as a common password', (password) => {
  expect(weakness(password)).toMatch(/entre as mais usadas/)
})

test.each([
  'anamartins',
  'Martins1',
  'martins-2026',
  'M4rtins#99',
  'ana.martins1',
  'SouzaAna22',
  'martinsmartins',
  'ana.souza',
  'anasouza1',
  'clinicaboa',
  'Clinicaboa2026',
  'clinicaboa.com.br1',
  'ana.souza@clinicaboa.com.br',
  'bimanager',
  'BI Manager 1',
  'manager2026',
  'Horizonte1',
  'RedeHorizonte',
  'h0r1z0nte!',
  'm1a2r3t4i5n6s7',
])('the rule refuses %s as guessed from a name', (password) => {
  expect(weakness(password)).toMatch(/não pode ser o nome/)
})

test.each([
  'aaaaaaaa',
  '!!!!!!!!',
  'abababab',
  'abcabcab',
  '12345678',
  '87654321',
  '90123456',
  'abcdefgh',
  'HGFEDCBA',
  'abcd1234',
  'aaaa1111',
  'qwer1234',
  'qweasdzxc',
  'asdfghjklç',
  '1qaz2wsx3edc',
  'xyz!!!123',
  '25121990',
  '25/12/1990',
  '1990-12-25',
  '1/1/2000',
  'qwerty123',
  'zaq12wsx',
])('the rule refuses %s as predictable', (password) => {
  expect(weakness(password)).toMatch(/fáceis de adivinhar/)
})

test.each([
  'Uma senha de teste 7',
  'cavalo bateria grampo',
  'correto cavalo',
  'Demo-admin-2026',
  'tR7#pq2Lx',
  'mesa azul janela 42',
  '🐎🔋📎🪟🐎🐈🔋📎',
  'ana gosta de pão quente',
  'senha da linha de costura',
  'xkcd 936 quadrinho',
  '8413 7729 0165',
  'çãõéíúàâ',
])('the rule accepts %s', (password) => {
  expect(weakness(password)).toBeUndefined()
})

test('the rule accepts the published demo passwords for their users', () => {
  const demo = [
    ['Marina Alves', 'admin', 'Demo-admin-2026'],
    ['Ana Martins', 'ana', 'Demo-ana-2026'],
    ['Helena Duarte', 'helena', 'Demo-helena-2026'],
  ]
  for (const [nomeUsuario = '', local, password = ''] of demo) {
    expect(
      weaknessOf(password, { nomeUsuario, emailUsuario: `${local}@demo.local` }, undefined),
    ).toBeUndefined()
  }
})

test('the rule takes little time for a name of many short words', () => {
  const owner = { nomeUsuario: 'aaa aaaa aaaaa '.repeat(8).trim(), emailUsuario: 'a@b.c' }
  const before = process.threadCpuUsage()
  weaknessOf(`${'a'.repeat(199)}b`, owner, undefined)
  weaknessOf('1!'.repeat(100), owner, undefined)
  weaknessOf(`${'1!'.repeat(49)}senha${'!1'.repeat(48)}`, owner, undefined)
  // Microseconds of processor time of this thread, which does not depend on other load.
  expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)
})

test('the rule accepts every generated password', () => {
  // The rule of 'Gerar senha automaticamente': 16 characters, at least one of each class.
  const classes = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJLMNOPQRSTUVWXYZ', '!@#$%&*']
  const alphabet = classes.join('')
  const draw = () => Array.from({ length: 16 }, () => alphabet.charAt(randomInt(alphabet.length)))
  for (let drawn = 0; drawn < 3_000; drawn += 1) {
    const password = draw()
    if (!classes.every((one) => password.some((character) => one.includes(character)))) continue
    expect(weakness(password.join('')), password.join('')).toBeUndefined()
  }
})
