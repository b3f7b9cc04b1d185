/** Chromium's switches for exports. None turns off the sandbox or a part of it. */
export const CHROMIUM_SWITCHES = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-gpu',
  // Containers give /dev/shm 64 MB; a page with large charts crashes with that.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-proxy-server',
  // No host name or address resolves.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--js-flags=--max-old-space-size=512',
  // Playwright's own defaults: pages in the background are rendered too, in the same colours.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-back-forward-cache',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding',
  '--enable-features=CDPScreenshotNewSurface',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--allow-pre-commit-input',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
]

/** Switches that remove a part of the sandbox: a compromised page could then reach the machine. */
const WITHOUT_SANDBOX =
  /(?:^|\s)(?:--?|\/)(no-sandbox|no-zygote-sandbox|disable-(?:setuid|namespace|seccomp-filter)-sandbox|single-process)(?=[\s=]|$)/i

/** Returns a switch that turns the sandbox off, if any; wrapper scripts may add such. */
export const findSandboxOffSwitch = (commandLine: string): string | undefined => {
  const [, name] = WITHOUT_SANDBOX.exec(commandLine) ?? []
  return name && `--${name.toLowerCase()}`
}
