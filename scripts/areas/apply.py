#!/usr/bin/env python3
"""Moves files into their areas and rewrites what names their paths. Can be run again, and for a part at a time.

  ROOT=<checkout> python3 apply.py <checkout> [--only PREFIX[,PREFIX…]] [--write] [--list FILE]

--only server/platform   only files whose new place is below packages/server/src/platform (the same for web/reports, …)
--only e2e               only the journeys
--only contract          only files of packages/contract; `reports` alone is the report service
--write                  move (the index of git too), rewrite imports and paths, format with Biome; commits nothing
--list FILE              write the moves as a table
--no-format              leave the order of imports and the lines to a later `biome check --write`
--quiet                  leave out what is to be done by hand

Rewritten: relative paths in quotes in ts, tsx, css, html; `@bi-manager/<package>/…`; paths from the root
(`packages/server/src/http/x.ts`, folders that move as a whole, globs below them) and short ones as documents have them
(`server/src/http/x.ts`, `http/x.ts`) in all text files but those of KEPT. What it cannot decide it lists: `by hand:`.
"""
import os, re, shutil, subprocess, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault('ROOT', sys.argv[1])
os.environ['NO_IMPORTS'] = '1'
from assign import *
import rep

DST = os.path.abspath(sys.argv[1])
WRITE = '--write' in sys.argv
option = lambda name: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else ''
ONLY = [part for part in option('--only').split(',') if part]
# Texts in which old paths stay: history, and tests of rules that name paths as examples.
KEPT = re.compile(r'^(docs/decisions/|CHANGELOG\.md|package-lock\.json|biome\.boundaries\.json|scripts/rules/[\w-]+\.test\.ts|scripts/nodes/old-code-new-schema\.long\.ts)')
git = lambda *args: subprocess.run(['git', '-C', DST, *args], check=True, capture_output=True, text=True).stdout

tracked = [f for f in git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0') if f and os.path.exists(f'{DST}/{f}')]
allf = [f for f in tracked if f.startswith(('packages/', 'scripts/', 'bench/'))]
code = ('.ts', '.tsx', '.css', '.html', '.mjs', '.js')
read = lambda f: open(f'{DST}/{f}', encoding='utf8', errors='surrogateescape').read()
txt = {f: read(f) for f in tracked if f.endswith(code + ('.md', '.json', '.jsonc', '.yaml', '.yml', '.service', '.sh', '.grit')) or os.path.basename(f) in ('Dockerfile', '.dockerignore')}

def placed(f): return rep.rplace(f) if f.startswith(rep.R) else place(f)
# Tests without a source of their name, of folders that are distributed over areas.
TESTS = {'jobs/capacity-sizes.test.ts': 'connections/capacities/', 'jobs/capacity-idle.test.ts': 'connections/capacities/', 'jobs/capacity-watch.test.ts': 'connections/capacities/', 'jobs/housekeeping.test.ts': 'operations/housekeeping/', 'jobs/refresh-watch.test.ts': 'reports/freshness/', 'jobs/expiry-notices.test.ts': 'access/grants/', 'jobs/data-schedule-runs.test.ts': 'publishing/', 'jobs/data-schedules.test.ts': 'publishing/', 'jobs/announcements.test.ts': 'distribution/announcements/', 'jobs/claimed-rows.test.ts': 'platform/jobs/', 'access/agreement': 'reports/visibility/', 'access/expiry.test.ts': 'access/grants/', 'environment/configured-database.test.ts': 'platform/db/'}
m = {}
for f in allf:
    p = placed(f)
    if f.startswith(S):
        for k, v in TESTS.items():
            if f[len(S):].startswith(k): p = S + v + os.path.basename(f)
    # Tests stand beside their source, and are named after it.
    test = re.match(r'(.*)(\.(?:test|long)\.tsx?)$', f)
    if test:
        for e in ('.ts', '.tsx'):
            src = test[1] + e
            if src in txt and placed(src) != src: p = re.sub(r'\.tsx?$', '', placed(src)) + test[2]
    m[f] = p
for f in allf:
    snap = re.match(r'(.*)/__snapshots__/(.*)\.snap$', f)
    if snap and f'{snap[1]}/{snap[2]}' in m:
        t = m[f'{snap[1]}/{snap[2]}']
        m[f] = f'{os.path.dirname(t)}/__snapshots__/{os.path.basename(t)}.snap'
# CSS modules go where the importers of their own folder go.
users = defaultdict(set)
for f, t in txt.items():
    if f.endswith(('.ts', '.tsx')):
        for s in re.findall(r"'(\.[^'\n]+\.css)'", t): users[os.path.normpath(os.path.join(os.path.dirname(f), s))].add(f)
for c, us in users.items():
    if c not in m: continue
    here = [u for u in us if os.path.dirname(u) == os.path.dirname(c)] or list(us)
    own = [u for u in here if os.path.basename(u).split('.')[0] == os.path.basename(c).split('.')[0]] or here
    dirs = {os.path.dirname(m[u]) for u in own}
    if len(dirs) == 1 and (own[0] in here and os.path.dirname(own[0]) == os.path.dirname(c) or (m[c] == c and all(m[u] != u for u in own))): m[c] = dirs.pop() + '/' + os.path.basename(c)
# Every file stands in a folder of the target, or at the top of its package.
HOMES = {S: set(ORDER) - {'app'} | {'demo'}, W: set(ORDER) - {'platform'} | {'lib', 'ui'}, C: set(ORDER) - {'platform', 'app'} | {'calls', 'workbook'},
         rep.R: set(rep.RO), E: set(JOURNEYS)}
for f, p in m.items():
    for base, homes in HOMES.items():
        if p.startswith(base) and ('/' in p[len(base):] or base == E) and p[len(base):].split('/')[0] not in homes: print('no place yet:', f)
if '--list' in sys.argv:
    with open(option('--list'), 'w') as o:
        for a, b in sorted(m.items()):
            if a != b: o.write(f'{a}\t{b}\n')

full = dict(m)
if ONLY:
    starts = []
    for part in ONLY:
        package, _, rest = part.partition('/')
        starts.append(f'packages/{package}/src/' + (rest.rstrip('/') + '/' if rest else ''))
    wanted = lambda f: any(m[f].startswith(s) for s in starts)
    m = {f: (m[f] if wanted(f) else f) for f in m}
moved = {a: b for a, b in m.items() if a != b}
targets = defaultdict(list)
for a, b in m.items(): targets[b].append(a)
clashes = {b: a for b, a in targets.items() if len(a) > 1}
print('files', len(m), 'moved', len(moved), 'left for other runs', sum(full[f] != m[f] for f in m), 'name clashes', len(clashes))
for b, a in clashes.items(): print('   clash', b, a)
if clashes: sys.exit(1)

# Folders that move as a whole.
below = defaultdict(list)
for f in m:
    d = os.path.dirname(f)
    while d.count('/') >= 2 and not d.startswith('packages/e2e'):
        below[d].append(f); d = os.path.dirname(d)
folders = {}
for d, fs in below.items():
    heads = {m[f][:-len(f[len(d):])] if m[f].endswith(f[len(d):]) else None for f in fs}
    if len(heads) == 1 and None not in heads and (h := heads.pop()) != d: folders[d] = h
# Short forms: `server/src/x/y.ts`, `x/y.ts` (unique, with a folder).
short = {}
count = defaultdict(int)
for f in m:
    parts = re.match(r'packages/(\w+)/src/(.+/.+)$', f)
    if parts: count[parts[2]] += 1
for f, p in moved.items():
    parts = re.match(r'packages/(\w+)/src/(.+)$', f)
    if not parts: continue
    short[f'{parts[1]}/src/{parts[2]}'] = p[len('packages/'):]
    if '/' in parts[2] and count[parts[2]] == 1: short[parts[2]] = p.split('/src/', 1)[1]

# docs/security.md names files by a letter of their package.
LETTERS = {'S': S, 'W': W, 'C': C, 'R': rep.R, 'E': E}
by_hand = []
def target_of(old):
    """The new path of a file or of a folder that moves as a whole, or None."""
    if old in m: return m[old]
    d = old
    while d.count('/') >= 2:
        if d in folders: return folders[d] + old[len(d):]
        d = os.path.dirname(d)
    return old if os.path.exists(f'{DST}/{old}') else None

def rewrite_packages(t):
    def sub(q):
        name, rest = q[2], q[3]
        d, e = pk.get(name, ('', {}))
        for k, tg in e.items():
            if '*' not in k: continue
            a = k.split('*')[0]; w = '.' + rest
            if not w.startswith(a): continue
            old = os.path.normpath(os.path.join(d, tg.replace('*', w[len(a):])))
            if old in moved:
                pre, post = tg.split('*'); base = os.path.normpath(os.path.join(d, pre)) + '/'
                n = m[old][len(base):]
                if post and n.endswith(post): n = n[:-len(post)]
                return q[1] + name + a[1:] + n + q[1]
        return q[0]
    return re.sub(r"(['\"`])(@bi-manager/[a-z0-9]+)(/[^'\"`\n]+)\1", sub, t)

def rewrite_relative(f, t):
    def sub(q):
        path, mark, query = q[2].partition('?')
        # Of a template or a glob, the folder before it is resolved.
        fixed = re.split(r'\$\{|\*', path)[0]
        rest = ''
        if fixed != path:
            fixed = fixed[:fixed.rfind('/') + 1]
            rest = path[len(fixed):]
        old = os.path.normpath(os.path.join(os.path.dirname(f), fixed))
        if old.startswith('..'): return q[0]
        new = target_of(old)
        # Folders that exist only after an installation or a build.
        if new is None and os.path.basename(old) in ('node_modules', 'dist') and os.path.isdir(f'{DST}/{os.path.dirname(old)}'): new = old
        if new is None or (new == old and m.get(f, f) == f): return q[0]
        r = os.path.relpath(new, os.path.dirname(m.get(f, f)))
        if not r.startswith('.'): r = './' + r
        return q[1] + r + ('/' if fixed.endswith('/') else '') + rest + mark + query + q[1]
    t = re.sub(r"(import\.meta\.dirname,\s*)'\.\.'", r"\1'../'", t) if m.get(f, f) != f else t
    return re.sub(r"(['\"`])(\.{1,2}/[^'\"`\n]*)\1", sub, t)

def rewrite_links(f, t):
    """Links of documents: `](../packages/server/src/x.ts)`."""
    def sub(q):
        old = os.path.normpath(os.path.join(os.path.dirname(f), q[1]))
        new = None if old.startswith('..') else target_of(old)
        return q[0] if new is None or new == old else '](' + os.path.relpath(new, os.path.dirname(f) or '.')
    return re.sub(r'\]\((\.{0,2}[\w./-]+\.(?:ts|tsx|css|sql|html))', sub, t)

def rewrite_paths(f, t):
    def root(q):
        old = q[0].rstrip('./')
        new = target_of(old) if old in m else None
        if new is None:
            d = old
            while d.count('/') >= 2 and new is None:
                if d in folders: new = folders[d] + old[len(d):]
                d = os.path.dirname(d)
        return (new + q[0][len(old):]) if new else q[0]
    t = re.sub(r'(?<![\w/.-])packages/[\w-]+/(?:src|test)/[\w./-]+', root, t)
    if f == 'docs/security.md':
        def letter(q):
            base = LETTERS[q[1]]
            new = root(re.match(r'.*', base + q[2]))
            return q[1] + '/' + new[len(base):] if new.startswith(base) else q[0]
        t = re.sub(r'(?<![\w/.-])([SWCRE])/([\w./-]+)', letter, t)
    return re.sub(r'(?<![\w/.@-])[\w-]+/[\w/.-]*[\w-]+\.(?:tsx?|css)\b', lambda q: short.get(q[0], q[0]), t)

# Texts that name a divided folder, changed in the step that moves a file to this place.
SELECTION = 'scripts/vitest/selection.ts'
FIXES = [
    ('packages/server/src/platform/db/', SELECTION, "  'packages/server/src/db/**/*.test.ts',\n", "  'packages/server/src/platform/db/**/*.test.ts',\n  'packages/server/src/platform/jobs/run-exclusively.test.ts',\n"),
    ('packages/server/src/reports/visibility/', SELECTION, "  'packages/server/src/access/**/*.test.ts',\n", "  'packages/server/src/reports/visibility/**/*.test.ts',\n  'packages/server/src/**/expiry.test.ts',\n"),
    ('packages/server/src/operations/audit/', SELECTION, "  'packages/server/src/audit/**/*.test.ts',\n", ''),
    ('packages/e2e/src/journeys/', SELECTION, '`packages/e2e/src/journeys/${name}.journey.ts`', '`packages/e2e/src/journeys/**/${name}.journey.ts`'),
    ('packages/reports/src/embed-page/', 'scripts/dev.ts', "join('reports/src/embed', sep)", "join('reports/src/embed-page', sep)"),
]
new = {}
for f, t in txt.items():
    n = t
    for place_, file, before, after in FIXES:
        if f == file and before in n and any(b.startswith(place_) for b in moved.values()): n = n.replace(before, after)
    if f.endswith(code): n = rewrite_relative(f, rewrite_packages(n))
    if not KEPT.match(f):
        if f.endswith('.md'): n = rewrite_links(f, n)
        n = rewrite_paths(f, n)
    new[f] = n
changed = [f for f in txt if new[f] != txt[f]]
print('files whose text changes', len(changed))

# What still names an old place: folders that are divided, or names that the program does not know.
gone = {d for d in below if d not in folders and all(f in moved for f in below[d])} | set(folders)
for f, t in ({} if '--quiet' in sys.argv else new).items():
    if KEPT.match(f) and not f.startswith(('biome', 'scripts')): continue
    for line, text in enumerate(t.split('\n'), 1):
        for q in re.finditer(r'(?:packages/)?(?:server|web|contract|reports)/src/[\w./*-]+|(?<![\w/.-])(?:features|bi|auth|mail|jobs|sessions|embed|engine/definitions)/[\w./*-]+', text):
            old = q[0] if q[0].startswith('packages/') else 'packages/' + q[0]
            head = old.split('*')[0].rstrip('/.')
            dirs = [head] if '/src/' in old else [f'packages/{p}/src/{head[len("packages/"):]}' for p in ('server', 'web', 'reports')]
            if any(d in gone or d in moved for d in dirs) or (not ONLY and 'features/' in q[0]): by_hand.append(f'{m.get(f, f)}:{line}: {q[0]}')
for line in by_hand if '--quiet' not in sys.argv else []: print('by hand:', line)

if WRITE:
    for f in changed: open(f'{DST}/{f}', 'w', encoding='utf8', errors='surrogateescape').write(new[f])
    for a, b in moved.items():
        os.makedirs(os.path.dirname(f'{DST}/{b}'), exist_ok=True)
        os.rename(f'{DST}/{a}', f'{DST}/{b}')
    for r, _, _ in os.walk(f'{DST}/packages', topdown=False):
        if 'node_modules' not in r and not os.listdir(r): os.rmdir(r)
    formatted = [m.get(f, f) for f in changed if f.endswith(('.ts', '.tsx', '.json', '.html', '.css'))]
    node, biome = f'{DST}/node_modules/.bin/node', f'{DST}/node_modules/@biomejs/biome/bin/biome'
    for at in range(0, 0 if '--no-format' in sys.argv else len(formatted), 500):
        # Imports are sorted by their paths; rules of restricted imports are not asked here.
        subprocess.run([node, biome, 'check', '--write', '--linter-enabled=false', '--max-diagnostics=20', *formatted[at:at + 500]], cwd=DST)
    git('add', '--all', '--', 'packages', 'scripts', 'bench', *[f for f in changed if not f.startswith(('packages', 'scripts', 'bench'))])
    status = git('diff', '--cached', '-M50%', '-l0', '--name-status', '--diff-filter=AD').strip()
    print('not recognized as a move (git log --follow would end here):', len([l for l in status.split('\n') if l]))
    for l in status.split('\n')[:40]:
        if l: print('  ', l)
