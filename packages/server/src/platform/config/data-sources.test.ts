import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const sources = (environment: Record<string, string>) =>
  loadConfig({ DATA_DIR: '/srv/portal/dados', ...environment }).dataSources

test('the settings of data sources allow no folder and no private host by default', () => {
  expect(sources({})).toEqual({ filesDir: undefined, privateHosts: [] })
})

test('the settings of data sources are a folder and a list of hosts', () => {
  expect(
    sources({ DATA_FILES_DIR: '/srv/fontes', DATA_PRIVATE_HOSTS: 'Planilhas.empresa.local, 10.0.0.8' }),
  ).toEqual({ filesDir: '/srv/fontes', privateHosts: ['planilhas.empresa.local', '10.0.0.8'] })
})

test.each(['/', '/srv', '/srv/portal/dados'])(
  'the settings of data sources refuse %s, which contains the data of the portal',
  (folder) => {
    expect(() => sources({ DATA_FILES_DIR: folder })).toThrow('DATA_FILES_DIR não pode conter DATA_DIR')
  },
)

test.each(['https://planilhas.local', 'planilhas.local:8443', '10.0.0.0/8'])(
  'the settings of data sources refuse %s as a host',
  (host) => {
    expect(() => sources({ DATA_PRIVATE_HOSTS: host })).toThrow('DATA_PRIVATE_HOSTS deve ser uma lista')
  },
)
