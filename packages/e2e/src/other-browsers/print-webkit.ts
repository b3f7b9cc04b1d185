import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient, sessionsApi } from '@bi-manager/contract'
import type { Person } from '../people/people.ts'
import { hasScreen, startScreen } from './webkit.ts'

/* WebDriver prints nothing in WebKitGTK: a program of its own opens the page and prints it. */

const PYTHON = '/usr/bin/python3'
const program = fileURLToPath(new URL('../../fixtures/print_in_webkit.py', import.meta.url))

const hasBindings = () => {
  try {
    const script = "import gi; gi.require_version('WebKit2', '4.1')"
    execFileSync(PYTHON, ['-c', script], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
export const canPrintInWebKit = hasScreen && hasBindings()

/** Starts a screen on which WebKitGTK prints without a dialog. */
export const startWebKitPrinter = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webkit-prints-'))
  const screen = await startScreen()
  return {
    /** Prints a report with the viewer's 'Imprimir'. */
    print: async (portal: string, { email, password }: Person, path: string, theme: 'light' | 'dark') => {
      const session = await createClient({ baseUrl: `${portal}/api` })(sessionsApi.signIn, {
        body: { username: email, password },
      })
      const report = join(folder, `report-${theme}-${basename(path)}.pdf`)
      const settings = {
        address: portal + path,
        storage: { 'bi-manager.sessao': JSON.stringify(session), 'bi-manager.tema': theme },
        ready: '[data-state="renderizado"]',
        press: 'Imprimir',
        pdf: report,
      }
      await promisify(execFile)(PYTHON, [program, JSON.stringify(settings)], {
        // GTK translates the printer's name.
        env: { ...process.env, DISPLAY: screen.display, LC_ALL: 'C.UTF-8', LANGUAGE: 'C' },
      })
      return { report }
    },
    close: async () => {
      await screen.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
