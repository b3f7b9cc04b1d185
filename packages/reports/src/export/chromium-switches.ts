/** How Chromium is started for exports. Nothing here turns off its sandbox, or any part of it. */
export const SWITCHES = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-gpu',
  // Containers give /dev/shm 64 MB, on which a page with large charts crashes.
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-proxy-server',
  // No name and no address is reached, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--js-flags=--max-old-space-size=512',
  // As Playwright starts it, so that pages which are not in sight are drawn all the same, in the same colours.
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

/** Without one of these parts, a page that takes over its process reaches the machine. */
const WITHOUT_SANDBOX =
  /(?:^|\s)(?:--?|\/)(no-sandbox|no-zygote-sandbox|disable-(?:setuid|namespace|seccomp-filter)-sandbox|single-process)(?=[\s=]|$)/i

/** Returns the switch of a running Chromium's command line that turns off its sandbox; scripts add such. */
export const switchAgainstSandbox = (commandLine: string): string | undefined => {
  const [, name] = WITHOUT_SANDBOX.exec(commandLine) ?? []
  return name && `--${name.toLowerCase()}`
}
