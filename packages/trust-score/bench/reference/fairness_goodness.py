"""Fairness and goodness as its authors published it (Kumar et al., ICDM 2016), written anew in plain Python on networkx.

Reads `source,target,weight` lines from standard input, runs the algorithm REPEAT times after one run to warm up, and
prints one JSON document: seconds of every run without loading, passes, and the sums of both results.
"""

import json
import sys
import time

import networkx


def initial_scores(graph):
    fairness, goodness = {}, {}
    for node in graph.nodes():
        fairness[node] = 1.0
        try:
            goodness[node] = graph.in_degree(node, weight="weight") * 1.0 / graph.in_degree(node)
        except ZeroDivisionError:
            goodness[node] = 0.0
    return fairness, goodness


def fairness_goodness(graph, epsilon=1e-6, most=100):
    fairness, goodness = initial_scores(graph)
    nodes = list(graph.nodes())
    passes = 0
    while passes < most:
        goodness_change = fairness_change = 0.0
        for node in nodes:
            ratings = graph.in_edges(node, data="weight")
            total = 0.0
            for rater, _, weight in ratings:
                total += fairness[rater] * weight
            if len(ratings) > 0:
                goodness_change += abs(total / len(ratings) - goodness[node])
                goodness[node] = total / len(ratings)
        for node in nodes:
            ratings = graph.out_edges(node, data="weight")
            total = 0.0
            for _, rated, weight in ratings:
                total += 1.0 - abs(weight - goodness[rated]) / 2.0
            if len(ratings) > 0:
                fairness_change += abs(total / len(ratings) - fairness[node])
                fairness[node] = total / len(ratings)
        passes += 1
        if fairness_change < epsilon and goodness_change < epsilon:
            break
    return fairness, goodness, passes


def main():
    repeat = int(sys.argv[1])
    graph = networkx.DiGraph()
    for line in sys.stdin:
        source, target, weight = line.rstrip("\n").split(",")
        graph.add_edge(source, target, weight=float(weight))
    seconds = []
    for run in range(repeat + 1):
        begin = time.perf_counter()
        fairness, goodness, passes = fairness_goodness(graph)
        if run > 0:
            seconds.append(time.perf_counter() - begin)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "passes": passes,
                "fairness": sum(fairness.values()),
                "goodness": sum(goodness.values()),
                "versions": f"Python {sys.version.split()[0]}, networkx {networkx.__version__}",
            }
        )
    )


if __name__ == "__main__":
    main()
