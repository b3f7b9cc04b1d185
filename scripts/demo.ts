import { join, resolve } from 'node:path'
import { logFormatOf } from '@bi-manager/telemetry/logging'
import { launch } from './launch.ts'
import { portalAddress, portalProcesses, reportsAddress, reportsFolder } from './processes.ts'

const env = {
  ...process.env,
  DATA_DIR: process.env.DATA_DIR || './data-demo',
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  // Read by a person, not by a log collector.
  LOG_FORMAT: process.env.LOG_FORMAT || 'texto',
  // No load balancer needs time to notice the shutdown.
  DRAIN_SECONDS: process.env.DRAIN_SECONDS || '0',
  BI_PROVIDER: 'local',
  REPORTS_ENABLED: 'true',
}
const seedFile = join(resolve(env.DATA_DIR), 'demo-seed.json')

const code = await launch({
  build: true,
  prepare: [
    {
      args: [join(import.meta.dirname, 'demo-data.ts'), resolve(reportsFolder(env)), seedFile],
      failure: 'Não foi possível preparar os dados da demonstração.',
    },
  ],
  processes: portalProcesses({ ...env, DEMO_SEED: seedFile }),
  format: logFormatOf(env),
  onReady: () => console.log(welcome()),
})
process.exit(code)

function welcome(): string {
  return `
  BI Manager · demonstração, só com dados fictícios

  Portal                 ${portalAddress(env)}
  Serviço de relatórios  ${reportsAddress(env)}
  Pasta de dados         ${resolve(env.DATA_DIR)}

  Entre com              admin@demo.local   Demo-admin-2026    administração
                         ana@demo.local     Demo-ana-2026      relatórios de dois workspaces
                         helena@demo.local  Demo-helena-2026   outros relatórios, de uma só operadora

  Para parar: Ctrl+C

Pronto: ${portalAddress(env)}`
}
