import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mailSamples } from '../test/mail-samples.ts'
import { mailKinds } from './mails.ts'

const names = mailKinds.map(({ modelo }) => modelo).toSorted()

test('mails.ts lists each kind of e-mail once', () => {
  expect(names).toEqual([...new Set(names)])
})

test('mails.ts lists each kind that a file *.mail.ts exports', async () => {
  const files = globSync('**/*.mail.ts', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(5)
  const modules = await Promise.all(files.map((file) => import(join(import.meta.dirname, file))))
  const exported = modules.flatMap((module) => Object.values<{ modelo?: string }>(module))
  expect(exported.flatMap(({ modelo }) => modelo ?? []).toSorted()).toEqual(names)
})

test('each kind has a sample, whose text and layout the tests of mail check', () => {
  const sampled = Object.values(mailSamples).map(({ kind }) => kind.modelo)
  expect([...new Set(sampled)].toSorted()).toEqual(names)
})
