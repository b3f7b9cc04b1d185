"""Cycles of folders, and unusual folders, after the moves of moves.tsv: ROOT=<checkout> python3 cycles.py"""
from assign import *
moves=dict(l.rstrip('\n').split('\t') for l in open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'moves.tsv')))
mm=lambda f:moves.get(f,f)
edges=defaultdict(set); ex={}
for f,d in imp.items():
    if istest(f): continue
    for t in d:
        a,b=os.path.dirname(mm(f)),os.path.dirname(mm(t))
        if a!=b: edges[a].add(b); ex[a,b]=(mm(f),mm(t))
sys.setrecursionlimit(10000)
idx={};low={};st=[];on=set();out=[];n=[0]
def sc(v):
    idx[v]=low[v]=n[0];n[0]+=1;st.append(v);on.add(v)
    for w in list(edges[v]):
        if w not in idx: sc(w);low[v]=min(low[v],low[w])
        elif w in on: low[v]=min(low[v],idx[w])
    if low[v]==idx[v]:
        c=[]
        while True:
            w=st.pop();on.discard(w);c.append(w)
            if w==v: break
        if len(c)>1: out.append(c)
for v in list(edges):
    if v not in idx: sc(v)
for c in out:
    print('CYCLE of',len(c),'folders')
    for a in c:
        for b in edges[a]:
            if b in c: print('  ',*ex[a,b])
cnt=defaultdict(int)
for f in files:
    if not istest(f): cnt[os.path.dirname(mm(f))]+=1
print('more than 25 files:',[(d,c) for d,c in cnt.items() if c>25 and '/src' in d])
print('one file:',[d for d,c in cnt.items() if c==1 and '/src/' in d])
