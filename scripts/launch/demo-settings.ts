import { join, resolve } from 'node:path'
import { withoutCarriageReturns } from '@bi-manager/telemetry/environment'
import type { Preparation } from './launch.ts'
import { portalAddress, reportsAddress, reportsFolder } from './processes.ts'

const given = withoutCarriageReturns(process.env)

/** The environment of the demo's processes: the current one, with the demo's defaults. */
export const demoEnvironment = {
  ...process.env,
  DATA_DIR: given.DATA_DIR || './data-demo',
  LOG_LEVEL: given.LOG_LEVEL || 'warn',
  // Read by a person, not by a log collector.
  LOG_FORMAT: given.LOG_FORMAT || 'texto',
  // No load balancer needs time to notice the shutdown.
  DRAIN_SECONDS: given.DRAIN_SECONDS || '0',
  BI_PROVIDER: 'local',
  REPORTS_ENABLED: 'true',
}

const dataFolder = resolve(demoEnvironment.DATA_DIR)

export const demoSeedFile = join(dataFolder, 'demo-seed.json')

export const demoPreparation: Preparation = {
  args: [join(import.meta.dirname, '../demo-data.ts'), resolve(reportsFolder(demoEnvironment)), demoSeedFile],
  failure: 'Não foi possível preparar os dados da demonstração.',
}

/** Returns the addresses and accounts of the demo that is ready. */
export const demoWelcome = (): string => `
  BI Manager · demonstração, só com dados fictícios

  Portal                 ${portalAddress(demoEnvironment)}
  Serviço de relatórios  ${reportsAddress(demoEnvironment)}
  Pasta de dados         ${dataFolder}

  Entre com              admin@demo.local   Demo-admin-2026    administração
                         ana@demo.local     Demo-ana-2026      relatórios de dois workspaces
                         helena@demo.local  Demo-helena-2026   outros relatórios, de uma só operadora

  Para parar: Ctrl+C

Pronto: ${portalAddress(demoEnvironment)}`
