#!/bin/sh
# examples/figures.sh HETERORR DATA OUT [FIGURE...]: the results behind each figure of the paper, as docs/reproducing.md
# shows them, into OUT; then one report. DATA holds planetoid/ (cora.npz, citeseer.npz), twitch/, facebook/ and ppi/
# (24 lists of pairs). Without names all figures are made: features edges both errors walks ppi flickr links. Interrupted,
# it goes on where it stopped.
set -eu
heterorr=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- features edges both errors walks ppi flickr links
here=$(cd "$(dirname "$0")" && pwd)
cora=$data/planetoid/cora.npz
mkdir -p "$out"

features=featurerr,featurerr-sampled,multibit,duchi,duchi-sampled,piecewise,piecewise-sampled,hybrid,hybrid-sampled
features=$features,three-output,three-output-sampled,pm-sub,pm-sub-sampled,laplace,gaussian
edges=edgerr,edgerr-node,edgerr-node-edges,privhrg,privhrg-private,edgerand,edgerand-private,lapgraph,lapgraph-private
ppi="--lr .05 --dropout 0 --weight-decay 0 --epochs 100"
flickr="--aggregation mean --lr .001 --epochs 100 --runs 3 --metric auc"

compare() { "$heterorr" compare "$@"; }

for figure; do
    case $figure in
    features) # feature-level protection (fig. resBRand), and every edge mechanism at 30 % private
        compare learning "$cora" --bounds 0,1 --mechanisms "$features,$edges" --eps-features .1,1,4 --eps-edges 1,2,4 --delta 1e-6 \
            --private-fractions .3 --runs 10 -o "$out/cora.csv" ;;
    edges) # edge-level protection (fig. resERand) where more edges are private
        compare learning "$cora" --mechanisms edgerr,edgerr-node --eps-edges 1,2,4 --private-fractions .6,.9 --runs 10 \
            -o "$out/cora-edges.csv"
        compare learning "$data/planetoid/citeseer.npz" --bounds 0,1 --mechanisms featurerr,multibit,edgerr,edgerr-node --eps-features 4 \
            --eps-edges 1,4 --private-fractions .6 --runs 5 -o "$out/citeseer.csv"
        for country in ES ENGB; do
            compare learning "$data/twitch/$country" --mechanisms featurerr,multibit,edgerr,edgerr-node --eps-features 4 \
                --eps-edges 1,4 --private-fractions .6 --runs 5 --metric auc -o "$out/twitch-$country.csv"
        done
        compare learning "$data/facebook" --mechanisms featurerr,multibit,edgerr,edgerr-node --eps-features 4 --eps-edges 1,4 \
            --private-fractions .6 --runs 3 -o "$out/facebook.csv" ;;
    both) # both, the heat map (figs. 13 and 14)
        compare learning "$cora" --bounds 0,1 --mechanisms multibit+edgerr-node,featurerr+edgerr --eps-features .1,1,4 --eps-edges .1,1,4 \
            --private-fractions .6 --runs 5 -o "$out/cora-grid.csv" ;;
    errors) # expected error (fig. 10)
        compare errors -o "$out/errors.csv" --force ;;
    walks) # distance of random-walk matrices (fig. 11)
        compare structure "$cora" --eps-edges 1 --private-fractions .05,.1,.2,.3 --runs 3 -o "$out/figure11-cora.csv" \
            --mechanisms edgerr,edgerr-node,privhrg,edgerand,lapgraph,privhrg-private,edgerand-private,lapgraph-private ;;
    ppi) # the PPI graphs, with features and labels in the shape of PPI
        [ -d "$out/ppi-shaped" ] || "$here/ppi_shaped.py" "$heterorr" "$data/ppi" "$out/ppi-shaped" --marks private_02 \
            --sample "$out/ppi-valid.npy"
        compare learning "$out/ppi-shaped" --mechanisms edgerr,privhrg-private,lapgraph-private,edgerr-node-edges \
            --eps-edges .1,1 $ppi --runs 3 -o "$out/ppi-shaped-edges.csv"
        compare learning "$out/ppi-shaped" --mechanisms featurerr,featurerr-sampled,multibit,three-output-sampled \
            --eps-features 1,9 --bounds -3,3 $ppi --runs 3 -o "$out/ppi-shaped-features.csv"
        for r in 2 4 8 16; do
            compare learning "$out/ppi-shaped" --mechanisms featurerr-projected --eps-features 1,4,9 --propagate 0 --bounds -3,3 \
                --directions pca:$r --public-sample "$out/ppi-valid.npy" $ppi --runs 3 -o "$out/ppi-shaped-projected.csv"
        done
        compare learning "$out/ppi-shaped" --mechanisms featurerr-projected --eps-features 1,4,9 --propagate 0 --bounds -3,3 \
            --directions pca:4 --public-sample "$out/ppi-valid.npy" $ppi --runs 8 -o "$out/ppi-shaped-projected.csv" ;;
    flickr) # a graph in the shape of FLICKR-MIR
        [ -d "$out/flickr-shaped" ] || "$heterorr" generate --nodes 14445 --avg-degree 10 --features 2048 --classes 5 \
            --private-fraction .305 --seed 1 -o "$out/flickr-shaped"
        compare learning "$out/flickr-shaped" --mechanisms edgerr,lapgraph-private,edgerr-node --eps-edges .1,1 $flickr \
            -o "$out/flickr-shaped-edges.csv"
        compare learning "$out/flickr-shaped" --mechanisms featurerr,multibit --eps-features .001,.1,2 $flickr \
            -o "$out/flickr-shaped-features.csv" ;;
    links) # LinkTeller on models trained on releases; attacks.py has the other tables of docs/attacks.md
        "$here/attacks.py" "$heterorr" "$data" "$out" chain_cora ;;
    *)
        echo "figures.sh: there is no figure '$figure'; see the head of the file" >&2
        exit 2 ;;
    esac
done
"$heterorr" report "$out"/*.csv -o "$out/report" --force
