import { spawnSync } from 'node:child_process'

/** Prometheus' own checker, from Debian's package `prometheus`. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.error('PULADO: as verificações do Prometheus, porque promtool não está instalado.')

/** Returns the complaints of promtool; empty when there are none. */
export const promtool = (args: string[], input = ''): string => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}` || `promtool ended with ${status}`
}
