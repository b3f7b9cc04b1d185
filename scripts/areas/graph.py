import os,re,json,sys
from collections import defaultdict
ROOT=os.environ.get('ROOT', os.getcwd())
pk={}
for n in os.listdir(ROOT+'/packages'):
    m=f'{ROOT}/packages/{n}/package.json'
    if os.path.exists(m):
        j=json.load(open(m)); pk[j['name']]=(f'packages/{n}',j.get('exports',{}))
files={}
for top in('packages','scripts','bench'):
    for r,ds,fs in os.walk(f'{ROOT}/{top}'):
        ds[:]=[d for d in ds if d not in('node_modules','dist')]
        for f in fs:
            if f.endswith(('.ts','.tsx')): 
                p=os.path.relpath(os.path.join(r,f),ROOT); files[p]=open(os.path.join(ROOT,p),errors='ignore').read()
istest=lambda f: bool(re.search(r'\.(test|long|journey)\.tsx?$',f)) 
def resolve(frm,spec):
    m=re.match(r'^(@bi-manager/[^/]+)(/.+)?$',spec)
    if not m: return None if spec.startswith('/') or not spec.startswith('.') else os.path.normpath(os.path.join(os.path.dirname(frm),spec))
    folder,ex=pk.get(m.group(1),('',{})); w='.'+(m.group(2) or '')
    for k,t in ex.items():
        a,_,b=k.partition('*')
        if '*' in k:
            if w.startswith(a): return os.path.normpath(os.path.join(folder,t.replace('*',w[len(a):])))
        elif k==w: return os.path.normpath(os.path.join(folder,t))
names={}
for f,t in files.items():
    if f.startswith('packages/contract/src/'):
        for n in re.findall(r'^export (?:const|function|async function|class|type|interface) (\w+)',t,re.M): names.setdefault(n,f)
        for g in re.findall(r'^export (?:type )?\{([^}]*)\}',t,re.M):
            for n in g.split(','):
                n=n.strip().split(' as ')[-1].strip()
                if n: names.setdefault(n,f)
imp={}  # file -> {target: set(names)}
pat=re.compile(r"(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^'\";]*?)\s*from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'|new URL\(\s*'(\.[^']+)'|import\.meta\.resolve\(\s*'(\.[^']+)'")
for f,t in ({} if os.environ.get('NO_IMPORTS') else files).items():
    d=defaultdict(set)
    for m in pat.finditer(t):
        spec=m.group(3) or m.group(4) or m.group(5) or m.group(6) or m.group(7)
        p=resolve(f,spec)
        if not p or p==f: continue
        ns=set()
        if m.group(2):
            g=re.search(r'\{([^}]*)\}',m.group(2))
            if g: ns={x.strip().replace('type ','').split(' as ')[0].strip() for x in g.group(1).split(',') if x.strip()}
        if p=='packages/contract/src/index.ts':
            for n in ns:
                q=names.get(n)
                if q: d[q].add(n)
                else: d[p].add(n)
        elif p in files: d[p]|=ns or {'*'}
    imp[f]=d
lines={f:t.count('\n') for f,t in files.items()}
