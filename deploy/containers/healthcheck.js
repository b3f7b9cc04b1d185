// The image has no curl. Without an argument: the portal's own readiness.
const url = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}/readyz`
const response = await fetch(url).catch(() => undefined)
process.exit(response?.ok ? 0 : 1)
